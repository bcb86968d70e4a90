import { parseBurn } from '#lib/chain/burn.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { transparent, type Transaction, type TxOut } from '#lib/chain/transaction.ts';

/** The burn transaction that an import carries; undefined when it cannot be read. */
export const burnInside = (importTx: Transaction): Transaction | undefined => {
	try {
		return parseImport(importTx)?.burnTx;
	} catch {
		return undefined;
	}
};

/** `EXPORT->CHAIN` for the burn output of coins, null for any other output. */
export const exportTarget = (out: TxOut): string | null => {
	if (out.value === 0n || out.script[0] !== 0x6a) return null;
	const burn = parseBurn(transparent({ vin: [], vout: [out] }, false));
	return burn ? `EXPORT->${burn.targetSymbol}` : null;
};
