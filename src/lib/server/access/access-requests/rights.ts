import { ACCESS, type Access } from '../policy/permissions.ts';
import type { Who } from '../policy/routes.ts';

/** A right that can be requested. */
export type RequestedRight = Exclude<Access, 'never' | 'read'>;

export const isRequestedRight = (text: unknown): text is RequestedRight =>
	text !== 'never' && text !== 'read' && ACCESS.some((right) => right === text);

/** The right that a caller lacks who may not open a route; null where no role would give it. */
export function rightFor(who: Who | undefined): RequestedRight | null {
	const right = who === 'administer' ? 'admin' : who;
	return isRequestedRight(right) ? right : null;
}
