import { isJsonObject, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { KdfError } from '../error.ts';
import type { KdfRules } from '../rules.ts';
import { FROM_PLATFORM, internalOf } from './errors.ts';

interface Nft {
	token_address: string;
	token_id: string;
	contract_type: string;
	amount: string;
}

/** Chain names used by NFT data providers. */
const NFT_CHAINS: Readonly<Record<string, string>> = {
	ETH: 'ETH',
	AVAX: 'AVALANCHE',
	BNB: 'BSC',
	FTM: 'FANTOM',
	MATIC: 'POLYGON'
};

/** Queries the provider for the NFTs of an address. @throws {KdfError} */
export async function nftsOf(
	rules: KdfRules,
	url: string,
	platform: string,
	address: string
): Promise<JsonValue> {
	const chain = NFT_CHAINS[platform] ?? platform;
	let answer: JsonValue;
	try {
		const response = await fetch(
			`${url.replace(/\/$/, '')}/api/v2/${address}/nft?chain=${chain.toLowerCase()}&format=decimal`
		);
		if (!response.ok && rules.seedForms) {
			throw internalOf(rules, `NFT provider answered with the status ${response.status}`);
		}
		if (!response.ok) throw new Error(`Status code: ${response.status}`);
		answer = parseJson(await response.text());
	} catch (cause) {
		if (cause instanceof KdfError) throw cause;
		const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
		const text = reason instanceof Error ? reason.message || String(reason) : String(reason);
		throw new KdfError(502, 'Transport', text, text, FROM_PLATFORM);
	}
	const found = isJsonObject(answer) && Array.isArray(answer['result']) ? answer['result'] : [];
	return Object.fromEntries(
		(found as unknown as Nft[]).map((nft) => [
			`${nft.token_address.toLowerCase()},${nft.token_id}`,
			{
				token_address: nft.token_address.toLowerCase(),
				token_id: nft.token_id,
				chain,
				contract_type: nft.contract_type,
				amount: nft.amount
			}
		])
	);
}
