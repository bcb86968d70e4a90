import { errorMessage } from '#lib/messages/errors/index.ts';
import { signOn } from '#lib/messages/errors/signOn.ts';

/** Message of a page about an attempt that failed. */
interface SignOnProblem {
	code: string;
	message: string;
}

const OTHERS = ['account.changed-outside', 'account.link-unusable', 'factor.needed'] as const;
const CODES = [...(Object.keys(signOn) as (keyof typeof signOn)[]), ...OTHERS];

/**
 * Returns the problem whose code an address names; null for any other. Text from the address itself is never
 * shown.
 */
export function problemOf(url: URL): SignOnProblem | null {
	const code = CODES.find((one) => one === url.searchParams.get('problem'));
	return code === undefined ? null : { code, message: errorMessage(code, {}) };
}
