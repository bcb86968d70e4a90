/** The form of coins that are served by Electrum servers but swapped with contracts. */
import { expect, it } from 'vitest';
import { readCoins } from '../coins/parse.ts';
import { initialFields, type Offer } from './fields.ts';
import { readForm } from './readForm.ts';

const CONTRACT = `0x${'2'.repeat(40)}`;

const faultsOf = (protocol: 'QRC20' | 'QTUM', contract: string) => {
	const { coins } = readCoins({
		COIN: { coin: 'COIN', mm2: 1, swap_contract_address: CONTRACT, protocol: { type: protocol } }
	});
	const servers = [{ url: 'a.example:10001', protocol: 'TCP' as const }];
	const offer: Offer = {
		coin: coins[0]!,
		method: 'electrum',
		servers,
		sockets: false,
		mayName: true
	};
	const answer = readForm({ ...initialFields(offer), swap_contract_address: contract }, offer);
	return answer.ok ? {} : answer.errors;
};

it('asks for the contract of a QRC20 token, without which the node refuses it, and not for that of QTUM', () => {
	expect(faultsOf('QRC20', CONTRACT)).toEqual({});
	expect(faultsOf('QRC20', '')).toMatchObject({
		swap_contract_address: expect.stringContaining('Enter the contract address')
	});
	expect(faultsOf('QTUM', '')).toEqual({});
});
