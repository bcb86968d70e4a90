/**
 * Claims of an ID token. Nothing else is used: neither other fields of the response nor the UserInfo
 * endpoint. Pure.
 */
import { z } from 'zod';
import { visibleText } from '#lib/text/visibleText.ts';
import type { SignOnConfig } from '../../platform/config/types.ts';
import type { Role } from '../identity/roles.ts';

/**
 * Text that both databases return as it was stored. A NUL or half of a surrogate pair would be stored as
 * another character, so that two subjects became one.
 */
export const storableText = z
	.string()
	.refine((text) => text.isWellFormed() && !text.includes('\0'));

/** Subjects have at most 255 characters (OpenID Connect Core 1.0, section 2). */
const Claims = z.looseObject({
	iss: z.string().min(1).max(500),
	sub: storableText.min(1).max(255),
	preferred_username: z.string().max(500).optional().catch(undefined),
	email: z.string().max(500).optional().catch(undefined),
	email_verified: z.boolean().optional().catch(undefined),
	auth_time: z.number().optional().catch(undefined),
	/** The provider's session id (OpenID Connect Front- and Back-Channel Logout 1.0). */
	sid: storableText.min(1).max(500).optional().catch(undefined)
});

/** The claims of a validated ID token. */
export type MemberClaims = z.output<typeof Claims>;

/**
 * Parses the claims of an ID token.
 * @throws {z.ZodError} where the token names no subject
 */
export const readClaims = (claims: unknown): MemberClaims => Claims.parse(claims);

/** Returns the label under which an identity is shown. */
export function labelOf(claims: MemberClaims): string {
	const { email, preferred_username: name, sub } = claims;
	return visibleText(email ?? name ?? sub).slice(0, 200);
}

/** The values at the path of the role claim: a string, or a list of strings. */
function valuesAt(claims: MemberClaims, way: readonly string[]): string[] {
	let value: unknown = claims;
	for (const member of way) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return [];
		value = (value as Record<string, unknown>)[member];
	}
	return [value].flat().filter((one): one is string => typeof one === 'string');
}

/**
 * Returns the role by the claim: that of the first mapping whose value the claim has.
 * @returns `undefined` where roles are assigned by admins here, null where the claim gives none
 */
export function roleOf(
	claims: MemberClaims,
	{ roleClaim, roles }: Pick<SignOnConfig, 'roleClaim' | 'roles'>
): Role | null | undefined {
	if (roleClaim === null) return undefined;
	const values = new Set(valuesAt(claims, roleClaim));
	return roles.find(([value]) => values.has(value))?.[1] ?? null;
}

/**
 * Whether the email address is verified by the provider and in one of the domains. True for all when no
 * domains are configured.
 */
export function isInDomains(claims: MemberClaims, domains: readonly string[]): boolean {
	if (domains.length === 0) return true;
	const { email, email_verified: verified } = claims;
	if (email === undefined || verified !== true) return false;
	return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** How many variants of each name are tried before a random one. */
const NUMBERED = 9;

/**
 * Returns candidate names for a new account, best first: the provider's names, then these with a number. The
 * caller takes the first that is valid and free; a name in use stays with its account.
 * @param random a few letters and digits
 */
export function proposedNames(claims: MemberClaims, random: string): string[] {
	const local = claims.email?.split('@')[0];
	const given = [claims.preferred_username, claims.preferred_username?.split('@')[0], local]
		.map((name) => (name ?? '').normalize('NFKC').replace(/[^\p{L}\p{M}0-9._@+-]/gu, ''))
		.map((name) => name.replace(/^[^\p{L}0-9]+/u, '').slice(0, 60))
		.filter((name) => name !== '');
	const bases = [...new Set(given)];
	const numbered = bases.flatMap((name) =>
		Array.from({ length: NUMBERED - 1 }, (_, at) => `${name}-${at + 2}`)
	);
	return [...bases, ...numbered, `member-${random}`];
}
