import { AsyncLocalStorage } from 'node:async_hooks';

/** A request while it is worked on. */
export interface RequestContext {
	readonly id: string;
	/** An act of it was refused, and that is on record already. */
	refused: boolean;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** Runs the work of a request: audit rows that it leads to carry the request's id. */
export const withinRequest = <T>(request: string | RequestContext, work: () => T): T =>
	requests.run(typeof request === 'string' ? { id: request, refused: false } : request, work);

/** Id of the request whose work this is; null outside of one. */
export const currentRequest = (): string | null => requests.getStore()?.id ?? null;

/** Says that the running request was refused something, and that this is on record. */
export function noteRefusal(): void {
	const request = requests.getStore();
	if (request) request.refused = true;
}
