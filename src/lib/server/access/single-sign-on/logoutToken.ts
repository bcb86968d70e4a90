/** Claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). Pure. */
import { z } from 'zod';
import { storableText } from './claims.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const Claims = z
	.looseObject({
		iss: z.string().min(1).max(500),
		jti: z.string().min(1).max(500),
		iat: z.number(),
		events: z.looseObject({ [EVENT]: z.looseObject({}) }),
		sub: storableText.min(1).max(255).optional(),
		sid: storableText.min(1).max(500).optional(),
		/** Prohibited in a logout token: it would allow an ID token to be used as one. */
		nonce: z.undefined().optional()
	})
	.refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** The claims of a validated logout token: the subject whose sessions end, or one session, or both. */
export type LogoutClaims = Pick<z.output<typeof Claims>, 'iss' | 'jti' | 'sub' | 'sid'>;

/**
 * Parses the claims of a logout token.
 * @throws {z.ZodError} for claims that are not a logout token's
 */
export const readLogout = (claims: unknown): LogoutClaims => Claims.parse(claims);
