import assert from "node:assert/strict";
import { answering, application, run } from "./harness.ts";

const SERVER = { origin: "https://models.example", model: "large-1" };

suite("consent", () => {
  test("sending code to a server is asked once, with the server and the model named (ruling 32)", async () => {
    const app = await application();
    let granted: readonly boolean[] = [];
    const asked = await answering(app, { modal: true }, async () => {
      const both = await Promise.all([app.consent.granted(SERVER), app.consent.granted(SERVER)]);
      granted = [...both, await app.consent.granted({ ...SERVER, model: "other" })].map((answer) => answer.granted);
    });
    assert.deepEqual(granted, [true, true, true]);
    const questions = asked.filter(({ how }) => how === "modal");
    assert.equal(questions.length, 1);
    assert.match(`${questions[0]?.text} ${questions[0]?.detail}`, /https:\/\/models\.example.*large-1/s);
  });

  test("a consent taken back is asked for again, and a No is no consent", async () => {
    const app = await application();
    await answering(app, { pick: 0 }, () => run("skepticalTriage.forgetConsent"));
    const asked = await answering(app, { modal: false }, async () => {
      assert.deepEqual(await app.consent.granted(SERVER), { granted: false });
      assert.deepEqual(await app.consent.granted(SERVER), { granted: false });
    });
    assert.equal(asked.filter(({ how }) => how === "modal").length, 2);
  });
});
