import { errorMessage } from '#lib/messages/errors/index.ts';
import { signOn } from '#lib/messages/errors/signOn.ts';

/** What a page says of an attempt that did nothing. */
interface SignOnProblem {
	code: string;
	message: string;
}

const OTHERS = ['account.changed-outside', 'account.link-unusable', 'factor.needed'] as const;
const CODES = [...(Object.keys(signOn) as (keyof typeof signOn)[]), ...OTHERS];

/** The problem that an address names; null for anything that is none: an address says nothing in words of its own. */
export function problemOf(url: URL): SignOnProblem | null {
	const code = CODES.find((one) => one === url.searchParams.get('problem'));
	return code === undefined ? null : { code, message: errorMessage(code, {}) };
}
