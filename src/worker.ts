import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { startServer } from "./node/server/server.ts";

const connection = createConnection(ProposedFeatures.all);

// Never die silently: the reason is in the log before the process ends, and the client starts a new one.
process.on("uncaughtException", (error) => {
  connection.console.error(`The worker stops: ${error.stack ?? error.message}`);
  setTimeout(() => process.exit(1), 100);
});
// The parent is gone: nothing here has a reader any more.
process.on("disconnect", () => process.exit(0));

startServer(connection);
