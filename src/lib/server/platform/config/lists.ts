/** Settings that are comma-separated lists. */
import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { readHost, type RequestHost } from '../net/host.ts';
import { readFinality, type FinalityRule } from './finality.ts';

/** A chain and its first indexed height. */
export const CHAIN_HEIGHT = /^([^\s=,]{1,64})=(\d{1,9})$/;

/** Reads the first indexed height of chains, by chain: `KMD=4000000,ALPHA=1`. Parts of another form are left out. */
export function indexFrom(text: string | undefined): ReadonlyMap<string, number> {
	const parts = (text ?? '').split(',').map((part) => CHAIN_HEIGHT.exec(part.trim()));
	return new Map(parts.flatMap((part) => (part ? [[part[1]!, Number(part[2])] as const] : [])));
}

/** Reads the finality rules of chains, by chain. Parts of another form are left out. */
export function finality(text: string | undefined): ReadonlyMap<string, FinalityRule> {
	const rules = (text ?? '').split(',').map((part) => readFinality(part.trim()));
	return new Map(rules.filter((rule) => rule !== null));
}

/** A chain and its `ac_pubkey`. */
export const CHAIN_KEY = /^([^\s=,]{1,64})=(0[23][0-9a-fA-F]{64})$/;

/** The `ac_pubkey` of the chains that were started with `ac_import=PUBKEY`, by chain. */
export function selfImport(text: string | undefined): ReadonlyMap<string, string> {
	const parts = (text ?? '').split(',').map((part) => CHAIN_KEY.exec(part.trim()));
	return new Map(
		parts.flatMap((part) => (part ? [[part[1]!, part[2]!.toLowerCase()] as const] : []))
	);
}

/** Settings whose parts each name a chain. */
const BY_CHAIN = ['KOMODECK_INDEX_FROM', 'KOMODECK_FINALITY', 'KOMODECK_SELF_IMPORT'] as const;
type ByChain = Readonly<Partial<Record<(typeof BY_CHAIN)[number], string>>>;

const chainsOf = (text: string | undefined): string[] =>
	(text ?? '').split(',').flatMap((part) => /^([^=]+)=/.exec(part.trim())?.[1] ?? []);

/**
 * Reports chains that are named twice in one setting: which part is meant is unclear. @returns a sentence per
 * mistake
 */
export function chainsNamedTwice(values: ByChain): string[] {
	return BY_CHAIN.flatMap((name) => {
		const chains = chainsOf(values[name]);
		const twice = chains.find((chain, at) => chains.indexOf(chain) !== at);
		return twice === undefined ? [] : [CONFIG_NOTES.chainTwice(name, twice)];
	});
}

/**
 * Reports settings for unknown chains: they have no effect, and a misspelled name should not go unnoticed.
 *
 * @param known the chains of the configured daemons
 * @returns a sentence for each setting and name
 */
export function unknownChains(values: ByChain, known: readonly string[]): string[] {
	if (known.length === 0) return [];
	return BY_CHAIN.flatMap((name) =>
		chainsOf(values[name])
			.filter((chain) => !known.includes(chain))
			.map((chain) => CONFIG_NOTES.chainUnknown(name, chain))
	);
}

/** Parses host names with or without a port; null when one of them is invalid. */
export function hostList(text: string): readonly RequestHost[] | null {
	const hosts = text.split(',').map((part) => readHost(part.trim()));
	return hosts.every((host) => host !== null) ? hosts : null;
}
