/**
 * A value that is usually available at once; callers await it only when it is a promise. An async function
 * costs about a kilobyte of garbage per call, and one call of the RPC API used to pass through thirty of them
 * for a single wait.
 */
export type Awaitable<T> = T | Promise<T>;
