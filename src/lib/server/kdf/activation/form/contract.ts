/** Contracts of swaps in the forms of coins: whoever mistypes one has swaps lock coins where nobody gets them back. Pure. */
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { hasContract } from '../coins/parse.ts';
import type { Offer } from './fields.ts';

const ZERO = /^0x0{40}$/;
/** Letters of both cases: then their case is a check sum. */
const HAS_CHECK_SUM = /^0x(?=.*[a-f]).*[A-F]/;

/** What is wrong with a contract that somebody typed for a coin; null for nothing. */
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
