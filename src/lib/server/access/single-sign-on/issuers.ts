/**
 * Whether two issuers are one provider's: an address may be written with or without its final slash, and discovery
 * accepts either, but tokens and stored rows have the spelling of the provider, not that of the configuration. Pure.
 */
export function isSameIssuer(one: string, other: string): boolean {
	if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
	return new URL(one).href === new URL(other).href;
}
