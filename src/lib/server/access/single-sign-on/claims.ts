/** What an ID token says of its member. Nothing else is asked: neither the answer's other members nor UserInfo. Pure. */
import { z } from 'zod';
import { visibleText } from '#lib/text/visibleText.ts';
import type { SignOnConfig } from '../../platform/config/types.ts';
import type { Role } from '../policy/roles.ts';

/** Subjects have at most 255 characters (OpenID Connect Core 1.0, section 2). */
const Claims = z.looseObject({
	iss: z.string().min(1).max(500),
	sub: z.string().min(1).max(255),
	preferred_username: z.string().max(500).optional().catch(undefined),
	email: z.string().max(500).optional().catch(undefined),
	email_verified: z.boolean().optional().catch(undefined),
	auth_time: z.number().optional().catch(undefined),
	/** The provider's session (OpenID Connect Front- and Back-Channel Logout 1.0). */
	sid: z.string().min(1).max(500).optional().catch(undefined)
});

/** The claims of an ID token that was checked. */
export type MemberClaims = z.output<typeof Claims>;

/** @throws {z.ZodError} where the token names nobody */
export const readClaims = (claims: unknown): MemberClaims => Claims.parse(claims);

/** What people see of an identity. */
export function labelOf(claims: MemberClaims): string {
	const { email, preferred_username: name, sub } = claims;
	return visibleText(email ?? name ?? sub).slice(0, 200);
}

/** The values of the claim that decides the role: a text, or a list of texts. */
function valuesAt(claims: MemberClaims, way: readonly string[]): string[] {
	let value: unknown = claims;
	for (const member of way) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return [];
		value = (value as Record<string, unknown>)[member];
	}
	return [value].flat().filter((one): one is string => typeof one === 'string');
}

/**
 * The role that the claim gives: that of the first entry of the map which is among its values.
 * @returns `undefined` where roles are given here, null where the claim gives none
 */
export function roleOf(
	claims: MemberClaims,
	{ roleClaim, roles }: Pick<SignOnConfig, 'roleClaim' | 'roles'>
): Role | null | undefined {
	if (roleClaim === null) return undefined;
	const values = new Set(valuesAt(claims, roleClaim));
	return roles.find(([value]) => values.has(value))?.[1] ?? null;
}

/** Whether the address is in one of the domains and the provider has verified it; so is anybody where none is named. */
export function isInDomains(claims: MemberClaims, domains: readonly string[]): boolean {
	if (domains.length === 0) return true;
	const { email, email_verified: verified } = claims;
	if (email === undefined || verified !== true) return false;
	return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** As many names are tried before one is drawn at random. */
const NUMBERED = 9;

/**
 * Names for a new account, the best first: what the provider calls its member, then with a number. The caller takes
 * the first that is free and may be used; a name that is in use stays with whoever has it.
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
