/** The origin (`https://host:port`) of a server address; null where it is none of http or https. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === "http:" || url.protocol === "https:" ? url.origin : null;
}
