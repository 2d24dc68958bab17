import assert from "node:assert/strict";
import test from "node:test";
import type { Session, WorkerState } from "../../src/vscode/workerLife.ts";
import { WorkerDown, WorkerLife } from "../../src/vscode/workerLife.ts";

/** A life whose processes are under the test's hand: `launches` decides how each start goes. */
function rig(launches: readonly ("up" | "fails")[] = []) {
  const states: WorkerState[] = [];
  const waits: number[] = [];
  const stopped: number[] = [];
  const closers: (() => void)[] = [];
  let started = 0;
  const life = new WorkerLife({
    async launch(closed): Promise<Session> {
      const pid = ++started;
      closers.push(closed);
      if (launches[pid - 1] === "fails") throw new Error("no such module");
      return {
        request: () => Promise.reject(new Error("not asked here")),
        notify: () => Promise.resolve(),
        async stop() {
          stopped.push(pid);
        },
        pid,
      };
    },
    now: () => 0,
    async wait(ms) {
      waits.push(ms);
    },
    onState: (state) => void states.push(state),
    onNote: () => undefined,
  });
  return { life, states, waits, stopped, crash: () => closers.at(-1)?.(), started: () => started };
}

test("nothing starts before the worker is needed, and two needs start one process", async () => {
  const { life, started } = rig();
  assert.equal(started(), 0);
  const [one, other] = await Promise.all([life.session(), life.session()]);
  assert.equal(one, other);
  assert.equal(started(), 1);
});

test("a crash brings a new process after the delay, and who asks meanwhile gets that one", async () => {
  const { life, states, waits, crash } = rig();
  await life.session();
  crash();
  assert.equal(life.state, "restarting");
  assert.equal((await life.session()).pid, 2);
  assert.deepEqual(waits, [500]);
  assert.deepEqual(states, ["starting", "running", "restarting", "running"]);
});

test("the fifth crash stops it: asking is answered with what happened", async () => {
  const { life, crash, started } = rig();
  for (let crashes = 1; crashes < 5; crashes += 1) {
    await life.session();
    crash();
  }
  await life.session();
  crash();
  assert.equal(life.state, "down");
  await assert.rejects(life.session(), WorkerDown);
  assert.equal(started(), 5);
});

test("a worker that never comes up is tried as often as one that crashes, then given up", async () => {
  const { life, waits, states } = rig(["fails", "fails", "fails", "fails", "fails"]);
  await assert.rejects(life.session(), WorkerDown);
  assert.deepEqual(waits, [500, 1000, 2000, 4000]);
  assert.deepEqual(states, ["starting", "down"]);
});

test("a start that fails once is repaired by the next, for the one who asked", async () => {
  const { life } = rig(["fails", "up"]);
  assert.equal((await life.session()).pid, 2);
  assert.equal(life.state, "running");
});

test("a person's restart starts anew after the cap, with all tries left", async () => {
  const { life, crash } = rig(["fails", "fails", "fails", "fails", "fails"]);
  await assert.rejects(life.session(), WorkerDown);
  await life.restart();
  assert.equal(life.state, "running");
  crash();
  assert.equal((await life.session()).pid, 7);
});

test("a restart ends the old process, and its end is no crash", async () => {
  const { life, stopped, states, crash } = rig();
  await life.session();
  const oldEnds = crash;
  await life.stop();
  oldEnds();
  assert.equal(life.state, "idle");
  await life.session();
  assert.deepEqual(stopped, [1]);
  assert.ok(!states.includes("restarting"));
});

test("stopping while it starts leaves no process behind", async () => {
  const { life, stopped } = rig();
  const asked = assert.rejects(life.session(), WorkerDown);
  await life.stop();
  await asked;
  assert.deepEqual(stopped, [1]);
});
