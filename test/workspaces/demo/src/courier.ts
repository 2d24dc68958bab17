import { COURIER_ACCOUNT, COURIER_KEY } from "./config.ts";
import { COURIER_RETRIES } from "./limits.ts";

/** Books a pick-up; asks again when the courier's system is busy. */
export async function bookPickup(parcel: string, send: (body: string) => Promise<{ ok: boolean }>): Promise<boolean> {
  for (let attempt = 0; attempt <= COURIER_RETRIES; attempt += 1) {
    const answer = await send(JSON.stringify({ parcel, account: COURIER_ACCOUNT, key: COURIER_KEY }));
    if (answer.ok) return true;
  }
  return false;
}
