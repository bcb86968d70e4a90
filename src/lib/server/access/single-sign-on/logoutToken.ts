/** What a logout token says (OpenID Connect Back-Channel Logout 1.0, section 2.4). Pure. */
import { z } from 'zod';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const Claims = z
	.looseObject({
		iss: z.string().min(1).max(500),
		jti: z.string().min(1).max(500),
		iat: z.number(),
		events: z.looseObject({ [EVENT]: z.looseObject({}) }),
		sub: z.string().min(1).max(255).optional(),
		sid: z.string().min(1).max(500).optional(),
		/** An ID token has one: it may not pass for this. */
		nonce: z.undefined().optional()
	})
	.refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** The claims of a logout token whose signature was checked: whose sessions end, or which. */
export type LogoutClaims = Pick<z.output<typeof Claims>, 'iss' | 'jti' | 'sub' | 'sid'>;

/** @throws {z.ZodError} for what is no logout token */
export const readLogout = (claims: unknown): LogoutClaims => Claims.parse(claims);
