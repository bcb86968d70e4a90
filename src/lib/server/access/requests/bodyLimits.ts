import { KiB, SMALL_BODY, type BodyLimits } from '../../platform/http/bodyLimits.ts';
import type { routes } from '../policy/routes.ts';

/**
 * The routes whose forms need more than {@link SMALL_BODY}, for signed-in callers. A transaction has at most
 * 200,000 bytes (consensus rule of the chains), which is 400,000 hex digits.
 */
const LARGER: Partial<Record<keyof typeof routes, Partial<BodyLimits>>> = {
	// Transactions and proofs as hex.
	'/chains/[chain]/proof': { bytes: 1024 * KiB },
	'/decode': { bytes: 1024 * KiB },
	'/migrations/recover': { bytes: 1024 * KiB },
	'/console/[method]': { bytes: 1024 * KiB },
	'/console/kdf/[method]': { bytes: 256 * KiB },
	'/chains/[chain]/self-import': { bytes: 1024 * KiB },
	'/notary-approvals/[txid]/approve': { bytes: 1024 * KiB },
	// 500 recipients with their amounts, by fields or as one text.
	'/chains/[chain]/token/[tokenid]/batch-transfer': { bytes: 256 * KiB, fields: 2_000 },
	// As many inputs as fit into a transaction, each a field.
	'/wallets/[id]/send': { bytes: 256 * KiB, fields: 2_000 },
	'/migrations/new/custom': { bytes: 256 * KiB, fields: 2_000 },
	// A file of 2,000 labels, up to 2 MB, plus the multipart framing.
	'/address-book': { bytes: 2_048 * KiB }
};

/** The largest body that any page accepts, in bytes. */
export const LARGEST_BODY = Math.max(
	SMALL_BODY.bytes,
	...Object.values(LARGER).map(({ bytes = 0 }) => bytes)
);

/** Returns the size limits of a form that is posted to a route. */
export function bodyLimitsOf(routeId: string | null, signedIn: boolean): BodyLimits {
	if (!signedIn || routeId === null || !Object.hasOwn(LARGER, routeId)) return SMALL_BODY;
	return { ...SMALL_BODY, ...LARGER[routeId as keyof typeof LARGER] };
}
