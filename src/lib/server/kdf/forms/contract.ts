/**
 * Checks swap contracts that are entered in the forms of coins: with a mistyped one, swaps lock coins that
 * cannot be recovered. Pure.
 */
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { hasContract } from '../coins/parse.ts';
import type { Offer } from './fields.ts';

const ZERO = /^0x0{40}$/;
/** Matches letters of both cases: their case is then a checksum. */
const HAS_CHECK_SUM = /^0x(?=.*[a-f]).*[A-F]/;

/** Returns the error of a contract that was entered for a coin; null when it is valid. */
export function contractFault(
	text: string,
	{ coin, mayName }: Pick<Offer, 'coin' | 'mayName'>
): string | null {
	if (!isEvmAddress(text)) return faults.contract.form;
	if (ZERO.test(text)) return faults.contract.zero;
	const isOffered = text === coin.swapContract || text === coin.fallbackContract;
	if (!isOffered && HAS_CHECK_SUM.test(text) && !isChecksummed(text)) {
		return faults.contract.checksum;
	}
	return mayName || hasContract(coin, text) ? null : faults.adminOnly.contract;
}
