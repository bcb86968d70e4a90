import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { TOKENS_GLOBAL_PUBKEY, ccAddress, tokenScript } from '#lib/chain/cryptocondition.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { txidOf } from '#lib/chain/transaction.ts';
import type { LedgerApi, MinedTransaction, TokenInfo } from './api.ts';
import { nftDataOf, tokenPayloadOf, type TokenEffect } from '#lib/chain/tokenEffect.ts';
import { isImport } from './txKind.ts';

const MARKER_ADDRESS = ccAddress(tokenScript(TOKENS_GLOBAL_PUBKEY));
const OLD_MARKER_ADDRESS = addressOfPubkey(TOKENS_GLOBAL_PUBKEY);

const isCreation = (ledger: Pick<LedgerApi, 'mined'>, txid: string): boolean => {
	const mined = ledger.mined(txid);
	return mined !== undefined && tokenPayloadOf(mined.tx)?.kind === 'create';
};

/**
 * Returns tokens in the order of `tokenlist`: first creations marked at the old normal address, then those
 * whose marker is confirmed and unspent, by the internal bytes of their txid.
 */
export const listTokens = (
	ledger: Pick<LedgerApi, 'mined' | 'addressCoins' | 'addressHistory'>
): string[] => {
	const old = ledger
		.addressHistory(OLD_MARKER_ADDRESS, 'normal')
		.filter((delta) => !delta.spending)
		.map((delta) => delta.txid);
	const marked = ledger
		.addressCoins(MARKER_ADDRESS, 'cc')
		.map((coin) => ({ txid: coin.txid, order: bytesToHex(internalHash(coin.txid)) }))
		.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
		.map(({ txid }) => txid);
	return [...old, ...marked].filter((txid) => isCreation(ledger, txid));
};

const importedFrom = (mined: MinedTransaction): TokenInfo['imported'] => {
	if (!isImport(mined.tx)) return undefined;
	const parts = parseImport(mined.tx);
	const burn = parts && parseBurn(parts.burnTx);
	return {
		sourceChain: burn?.sourceSymbol ?? null,
		sourceTokenId: burn?.tokenCreationTx ? txidOf(burn.tokenCreationTx) : null
	};
};

/** Returns the data of `tokeninfo` about a confirmed transaction. */
export const readTokenInfo = (
	mined: MinedTransaction,
	effect: TokenEffect | undefined
): TokenInfo | 'not-a-token' => {
	const payload = tokenPayloadOf(mined.tx);
	if (payload?.kind !== 'create' || !effect) return 'not-a-token';
	const info: TokenInfo = {
		tokenid: mined.txid,
		owner: bytesToHex(payload.owner),
		name: payload.name,
		description: payload.description,
		supply: effect.supply,
		height: mined.height
	};
	const data = nftDataOf(mined.tx);
	if (data) info.data = data;
	const imported = importedFrom(mined);
	if (imported) info.imported = imported;
	return info;
};
