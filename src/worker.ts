import v8 from "node:v8";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { startServer } from "./node/server/server.ts";

// Half a million findings may live here, beside an editor: the heap grows slowly rather than fast. A flag that some other
// V8 does not know costs a line on standard error and nothing else.
for (const flag of ["--heap-growing-percent=40", "--semi-space-growth-factor=1"]) v8.setFlagsFromString(flag);

const connection = createConnection(ProposedFeatures.all);

// Never die silently: the reason is in the log before the process ends, and the client starts a new one.
process.on("uncaughtException", (error) => {
  connection.console.error(`The worker stops: ${error.stack ?? error.message}`);
  setTimeout(() => process.exit(1), 100);
});
// The parent is gone: nothing here has a reader any more.
process.on("disconnect", () => process.exit(0));

startServer(connection);
