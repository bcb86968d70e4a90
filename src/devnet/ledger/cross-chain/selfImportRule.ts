import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import type { ImportParts } from '#lib/chain/importProof.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import type { ImportLookup } from './importLookup.ts';

/**
 * Checks a self-import, which only a chain with `ac_import=PUBKEY` allows: the amount is named by a source
 * transaction whose first input spends an output of the issuing key. Returns the daemon's reason, or null.
 */
export const selfImportFault = (parts: ImportParts, lookup: ImportLookup): string | null => {
	const { burnTx, proof, payouts } = parts;
	const { params } = lookup;
	if (proof.kind !== 'txproof') return 'invalid-import-proof-for-0xFFFFFFFF';
	if (params.acImport !== 'PUBKEY' || !params.acPubkey) return 'PUBKEY-import-when-not PUBKEY';
	const fault = 'PUBKEY-import-failure';
	const source = lookup.transaction(proof.txid);
	if (!source || source.expiryHeight !== burnTx.expiryHeight) return fault;
	const first = source.vin[0];
	const spent = first && lookup.output(first.txid, first.vout);
	if (!spent) return fault;
	const issuer = classify(spent.script);
	const wanted = addressOfPubkey(hexToBytes(params.acPubkey));
	const fits =
		issuer.type === 'pubkey'
			? issuer.pubkey !== undefined && bytesToHex(issuer.pubkey) === params.acPubkey
			: issuer.type === 'pubkeyhash' && issuer.address === wanted;
	if (!fits) return fault;
	const amount = parseSelfImportSource(source);
	if (amount === null || amount <= 0n || payouts[0]?.value !== amount) return fault;
	return null;
};
