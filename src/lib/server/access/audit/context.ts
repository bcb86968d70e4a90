import { AsyncLocalStorage } from 'node:async_hooks';
import type { Member } from '../policy/identity.ts';

/** A request while it is worked on. */
export interface RequestContext {
	/** Made here. What counts, and whether it counts again, never follows from what a caller sent. */
	readonly id: string;
	/** The caller's own id, so that two logs can be laid side by side. */
	readonly callerId: string | null;
	/** Whose it is, where that is known before its work begins. */
	readonly actor: Member | null;
	/** An act of it was refused, and that is on record already. */
	refused: boolean;
	/** Something of it may have been done: at a daemon, at a trading node, or in the database. */
	acted: boolean;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** The id that a caller gave a request, where it is harmless in a log. */
export const callerIdOf = (given: string | null | undefined): string | null =>
	typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : null;

/** Runs the work of a request: audit rows that it leads to carry the request's id. */
export const withinRequest = <T>(request: string | RequestContext, work: () => T): T =>
	requests.run(
		typeof request === 'string'
			? { id: request, callerId: null, actor: null, refused: false, acted: false }
			: request,
		work
	);

/** Id of the request whose work this is; null outside of one. */
export const currentRequest = (): string | null => requests.getStore()?.id ?? null;

/** The id that the caller gave the running request; null when it gave none. */
export const currentCallerId = (): string | null => requests.getStore()?.callerId ?? null;

/** Whose request runs; null outside of one, and where the identity is found out within it. */
export const currentActor = (): Member | null => requests.getStore()?.actor ?? null;

/** Says that the running request was refused something, and that this is on record. */
export function noteRefusal(): void {
	const request = requests.getStore();
	if (request) request.refused = true;
}

/** Says that the running request may have done something: what fails from here on does not undo it. */
export function noteAct(): void {
	const request = requests.getStore();
	if (request) request.acted = true;
}
