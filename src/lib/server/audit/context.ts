import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

/** Runs the work of a request: audit rows that it leads to carry the request's id. */
export const withinRequest = <T>(requestId: string, work: () => T): T =>
	requests.run(requestId, work);

/** Id of the request whose work this is; null outside of one. */
export const currentRequest = (): string | null => requests.getStore() ?? null;
