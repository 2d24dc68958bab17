/** What a labelled part of a finding tells. `other` is a label that is none of ours: its text stays with the finding. */
export type Label =
  | "severity"
  | "priority"
  | "title"
  | "location"
  | "lines"
  | "category"
  | "rule"
  | "id"
  | "cwe"
  | "confidence"
  | "status"
  | "description"
  | "impact"
  | "code"
  | "repro"
  | "fix"
  | "reference"
  | "revision"
  | "meta"
  | "other";

/** The words that label a part of a finding, in every language we know them in. The one place they stand. */
const WORDS: Readonly<Record<Exclude<Label, "other">, readonly string[]>> = {
  severity: [
    "severity,sev,severity level,severity rating,criticality",
    "严重程度,严重度,严重性,严重级别,嚴重程度,级别,等级,重要度,深刻度,重大度,심각도",
    "schweregrad,schwere,kritikalität,sévérité,gravité,criticité,severidad,gravedad,criticidad,severidade,gravidade,criticidade",
    "gravità,severità,criticità,ernst,серьёзность,серьезность,критичность",
  ],
  // These rank only what nothing else ranks: "Priority: P2" under a heading of HIGH findings says when, not how bad.
  priority: [
    "risk,risk level,risk rating,priority,level,rating,优先级,风险等级,风险级别,優先度,위험도,우선순위",
    "risiko,priorität,risque,priorité,riesgo,prioridad,risco,prioridade,rischio,priorità,приоритет,уровень,риск",
  ],
  title: ["title,name,finding,issue title,标题,標題,名称,タイトル,titel,titre,título,titolo,название"],
  location: [
    "location,locations,file,files,file path,filepath,path,paths,where,affected file,affected files,affected code,affected",
    "affected location,affected locations,affected component,source,source file,file(s),file and line,file/line,file:line,files affected,location(s)",
    "位置,文件,文件位置,文件路径,路径,代码位置,所在位置,檔案,場所,ファイル,箇所,該当箇所,対象ファイル,対象,위치,파일",
    "datei,dateien,ort,stelle,fundstelle,pfad,betroffene datei,betroffene dateien,fichier,fichiers,emplacement,localisation,chemin,fichier concerné",
    "archivo,archivos,ubicación,ubicacion,fichero,ruta,arquivo,arquivos,local,localização,localizacao,caminho,file interessato,posizione,percorso",
    "bestand,locatie,plik,файл,файлы,место,расположение",
  ],
  lines: [
    "line,lines,line number,line numbers,line(s),lines affected,affected lines,affected line",
    "行,行号,行号范围,代码行,行番号,줄,zeile,zeilen,ligne,lignes,línea,líneas,linea,linha,linhas,righe,riga,строка,строки",
  ],
  category: [
    "category,type,class,kind,vulnerability type,issue type,类别,类型,分类,種別,カテゴリ,カテゴリー,分類,유형",
    "kategorie,typ,art,catégorie,categoría,tipo,categoria,категория,тип",
  ],
  rule: ["rule,rule id,check,check id,规则,ルール,regel,règle,regla,regra,regola,правило"],
  id: ["id,finding id,issue id,identifier,编号,番号,kennung,identifiant"],
  cwe: ["cwe,cwe id,cwes,owasp,cwe/owasp"],
  confidence: [
    "confidence,certainty,confidence score,confidence level,置信度,可信度,信頼度,確信度,신뢰도,konfidenz,confiance,confianza,confiança,уверенность",
  ],
  status: ["status,state,状态,狀態,状況,ステータス,statut,estado,stato,статус"],
  description: [
    "description,issue,problem,details,detail,explanation,summary,rationale,reason,why,finding details,vulnerability,observation,message,note,notes,what,analysis,root cause,cause",
    "问题,问题描述,描述,说明,原因,详情,現象,問題,問題点,説明,詳細,内容,理由,문제,설명,원인",
    "beschreibung,problem,begründung,ursache,description du problème,problème,détails,raison,cause",
    "descripción,descripcion,problema,detalle,detalles,causa,motivo,descrição,descricao,detalhes,descrizione,dettagli,motivazione",
    "beschrijving,описание,проблема,причина",
  ],
  impact: [
    "impact,consequence,consequences,why it matters,risk impact,security impact,影响,影響,危害,후과,영향,auswirkung,auswirkungen,conséquence",
    "impacto,consecuencia,consequência,impatto,влияние,последствия",
  ],
  code: [
    "code,current code,vulnerable code,problematic code,affected code snippet,code snippet,snippet,offending code,代码,问题代码,コード,該当コード,quelltext,código,codice,код",
  ],
  repro: [
    "repro,reproduction,repro steps,reproduction steps,steps to reproduce,how to reproduce,proof of concept,poc,exploit,attack scenario,attack vector",
    "复现,复现步骤,重现步骤,再現手順,再現方法,재현,reproduktion,reproduction steps,reproducción,reprodução,riproduzione,воспроизведение",
  ],
  fix: [
    "fix,fixes,suggested fix,proposed fix,recommended fix,recommendation,recommendations,remediation,mitigation,solution,suggestion,suggestions,resolution,action,how to fix,fix applied,fix suggestion,recommended action,fix (recommended in the doc)",
    "修复,修复建议,建议,修复方案,解决方案,改进建议,整改建议,修正,修正案,対応,対策,対処,推奨,推奨事項,改善案,수정,해결,권장",
    "behebung,empfehlung,lösung,maßnahme,abhilfe,vorschlag,correction,correctif,recommandation,solution,remédiation",
    "corrección,correccion,solución,solucion,recomendación,recomendacion,remediación,arreglo,correção,correcao,solução,recomendação",
    "correzione,soluzione,raccomandazione,rimedio,oplossing,aanbeveling,исправление,рекомендация,решение",
  ],
  reference: [
    "reference,references,ref,refs,link,links,see also,more info,参考,参考资料,参照,参考文献,참고,referenz,referenzen,référence,références,referencia,referencias,referência,referências,riferimenti,riferimento,ссылки",
  ],
  revision: ["commit,revision,commit hash,commit sha,sha,head,git commit,提交,コミット,커밋"],
  meta: [
    "date,author,reviewer,auditor,reported by,found by,tool,source tool,effort,estimated effort,owner,assignee,files changed,fixed in,package,component,module,cvss,cvss score,exploitability,likelihood,versions present,tags,reachability,round",
    "日期,审查日期,审查人,工具,工作量,组件,模块,日付,担当,datum,autor,date,auteur,fecha,data",
  ],
};

const MEANING: ReadonlyMap<string, Exclude<Label, "other">> = new Map(
  labels().flatMap((label) => WORDS[label].flatMap((list) => list.split(",").map((word) => [word, label] as const))),
);

function labels(): Exclude<Label, "other">[] {
  return [
    // Of words in two lists the later one counts.
    ...(["meta", "status", "title", "id", "rule", "cwe", "category", "confidence", "reference", "revision"] as const),
    ...(["impact", "code", "repro", "fix", "description", "lines", "location", "priority", "severity"] as const),
  ];
}

/** What a label's words mean, whatever marks, case and remarks in parentheses they carry; null where they are no label of ours. */
export function labelOf(words: string): Exclude<Label, "other"> | null {
  const bare = words
    .replace(/[*_`~]/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .toLowerCase()
    .trim();
  return MEANING.get(bare) ?? MEANING.get(bare.replace(/\s*[(（].*$/s, "").trim()) ?? null;
}
