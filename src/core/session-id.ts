const SESSION_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Whether a text, such as the value of `KGRAPHFS_SESSION`, can be the id of a session. There need not be one of it. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}
