/** A `file:` address becomes a path (`/home/a.c`, `C:/a.c`, `//host/share/a.c`); any other address stays as it is. */
export function pathOfUri(uri: string): string {
  const found = /^file:(?:\/\/([^/]*))?(\/.*)?$/i.exec(uri);
  if (found === null) return uri;
  const path = decodePercent(found[2] ?? "/");
  const host = found[1] ?? "";
  if (host !== "" && host.toLowerCase() !== "localhost") return `//${host}${path}`;
  return path.replace(/^\/(?=[A-Za-z]:)/, "");
}

/** Percent-decodes what can be decoded and keeps the rest. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
