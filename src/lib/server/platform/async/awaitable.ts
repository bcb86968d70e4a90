/**
 * A value that is usually available at once; callers await it only when it is a promise. An async function
 * costs about a kilobyte of garbage per call, and a call of the RPC API passes through many functions.
 */
export type Awaitable<T> = T | Promise<T>;
