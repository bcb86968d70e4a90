import type { FactorProof } from '../../second-factors/factorCheck.ts';
import type { PasskeySite } from '../../second-factors/passkeySite.ts';
import type { Ceremony } from '../../second-factors/passkeys.ts';

/**
 * A code (of an authenticator app or a recovery code), or what a passkey signed at a site; `site` null:
 * passkeys are not possible at this address.
 */
export type GivenFactor = { code: string } | { passkey: string; site: PasskeySite | null };

/** Returns a given factor with the ceremony of its site, as it is checked. */
export const proofOf = (
	given: GivenFactor,
	ceremony: (site: PasskeySite | null) => Ceremony
): FactorProof =>
	'code' in given ? given : { passkey: given.passkey, ceremony: ceremony(given.site) };
