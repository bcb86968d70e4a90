/**
 * What is mostly known at once: who wants it waits only where it is a promise. An async function costs about a
 * kilobyte of garbage a call, and a call of the RPC API once passed thirty of them for one wait.
 */
export type Awaitable<T> = T | Promise<T>;
