import { parseBurn } from '#lib/chain/burn.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { transparent, type Transaction, type TxOut } from '#lib/chain/transaction.ts';

/** Returns the burn transaction inside an import; undefined when it cannot be parsed. */
export const burnInside = (importTx: Transaction): Transaction | undefined => {
	try {
		return parseImport(importTx)?.burnTx;
	} catch {
		return undefined;
	}
};

/** Returns `EXPORT->CHAIN` for an output that burns coins; null for any other. */
export const exportTarget = (out: TxOut): string | null => {
	if (out.value === 0n || out.script[0] !== 0x6a) return null;
	const burn = parseBurn(transparent({ vin: [], vout: [out] }, false));
	return burn ? `EXPORT->${burn.targetSymbol}` : null;
};
