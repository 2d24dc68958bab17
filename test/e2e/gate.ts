import { roleOf, type Role } from "../support/personas.ts";
import type { Script } from "../support/scriptedReplies.ts";

/** A script that answers a round or the arbiter only when the test lets it, so that every state in between can be looked at. */
export interface Gate {
  readonly script: Script;
  /** Answers the requests of a role, those that wait and those that come. */
  let(...roles: readonly Role[]): void;
  /** Holds these roles back again. */
  hold(...roles: readonly Role[]): void;
}

export function gate(script: Exclude<Script, readonly unknown[]>): Gate {
  const doors = new Map<Role, PromiseWithResolvers<void>>();
  const door = (role: Role): PromiseWithResolvers<void> => {
    const known = doors.get(role) ?? Promise.withResolvers<void>();
    doors.set(role, known);
    return known;
  };
  return {
    async script(request, index) {
      const role = roleOf(request);
      if (role !== null) await door(role).promise;
      return await script(request, index);
    },
    let: (...roles) => roles.forEach((role) => door(role).resolve()),
    hold: (...roles) => roles.forEach((role) => doors.delete(role)),
  };
}
