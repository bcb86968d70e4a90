import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { isDaemonMethod } from '../../../rpc/daemon/index.ts';
import { findKdfMethod } from '../../../rpc/kdf/index.ts';
import { isAtMost } from '../policy/permissions.ts';
import { isRole, type Role } from '../policy/roles.ts';
import { isTokenName } from './apiTokens.ts';

const FAULTS = ACCOUNT.tokens.faults;
const DAY = 24 * 60 * 60 * 1000;
/** How long a token may live, in days; the empty one lives until it is revoked. */
export const LIFETIMES = ['30', '90', '365', ''] as const;

/** The form of a new API token as it was typed. */
export interface TypedToken {
	name: string;
	role: string;
	expires: string;
	methods: string;
	daemons: string;
}

export type TokenFieldErrors = { [field in keyof TypedToken]?: string };

/** True for a method of a daemon or, by its name on the wire, of a trading node. */
const isMethod = (word: string): boolean =>
	isDaemonMethod(word) ||
	findKdfMethod(word, 'v2') !== null ||
	findKdfMethod(word, 'legacy') !== null;

/** What the form asks for; limits are null for "all", the end is in Unix milliseconds. */
interface TokenRequest {
	name: string;
	role: Role;
	methods: string[] | null;
	daemons: string[] | null;
	expiresAt: number | null;
}

/** Words between commas, spaces or line ends; null when there is none. */
function listOf(text: string): string[] | null {
	const words = text.split(/[\s,]+/).filter((word) => word !== '');
	return words.length === 0 ? null : words;
}

/** A mistyped word can be as long as a page: its beginning is enough to find it. */
const shortened = (word: string): string => (word.length > 60 ? `${word.slice(0, 60)}…` : word);

function roleFault(role: string, own: Role): string | undefined {
	if (!isRole(role)) return FAULTS.role;
	return isAtMost(role, own) ? undefined : errorMessage('account.token-role-too-high', {});
}

/**
 * Reads the form of a new API token and finds every mistake in it, not only the first one.
 *
 * @param own the role of the person whose token it will be
 * @param known the ids of the daemons and trading nodes there are
 * @param now Unix milliseconds
 */
export function readTokenRequest(
	typed: TypedToken,
	own: Role,
	known: readonly string[],
	now: number
): { request: TokenRequest } | { errors: TokenFieldErrors } {
	const { role } = typed;
	const errors: TokenFieldErrors = {};
	const note = (field: keyof TypedToken, fault: string | undefined): void => {
		if (fault !== undefined) errors[field] = fault;
	};
	note(
		'name',
		isTokenName(typed.name) ? undefined : errorMessage('account.token-name-invalid', {})
	);
	note('role', roleFault(role, own));
	const lifetime = LIFETIMES.find((value) => value === typed.expires);
	note('expires', lifetime === undefined ? FAULTS.expires : undefined);
	const methods = listOf(typed.methods);
	const method = methods?.find((word) => !isMethod(word));
	if (method !== undefined) note('methods', FAULTS.method(shortened(method)));
	const daemons = listOf(typed.daemons);
	const daemon = daemons?.find((id) => !known.includes(id));
	if (daemon !== undefined) {
		note('daemons', FAULTS.daemon(shortened(daemon), known));
	}
	if (lifetime === undefined || !isRole(role) || Object.keys(errors).length > 0) return { errors };
	const expiresAt = lifetime === '' ? null : now + Number(lifetime) * DAY;
	return { request: { name: typed.name, role, methods, daemons, expiresAt } };
}
