import { Ledger } from '../ledger/ledger.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { unsignedInput } from '#lib/chain/transaction.ts';
import { draftTransaction } from '../wallet/draft.ts';
import type { Key } from '../wallet/keys.ts';
import { Wallet } from '../wallet/wallet.ts';

const COIN = 100_000_000n;
const BLOCKS_BEFORE = 10;

/**
 * Creates a chain that stands in for Bitcoin Cash. It is served by an Electrum server only, without a daemon,
 * and is created anew at each start, with some coins for the trading node.
 */
export function cashChain(
	clock: () => number,
	treasury: Key,
	gifts: readonly Uint8Array[]
): Ledger {
	const ledger = new Ledger(
		{
			name: 'BCH',
			ccid: 0,
			premine: 1_000n * COIN,
			reward: 12n * COIN,
			maturity: 1,
			// Its transactions have Bitcoin's original format.
			saplingHeight: Number.MAX_SAFE_INTEGER,
			dataCarrierSize: 223,
			requireNotarySignatures: false,
			notaries: [],
			minerPubkey: treasury.pubkeyHex,
			blockTime: 600
		},
		{ clock }
	);
	ledger.mine({ count: BLOCKS_BEFORE });
	const wallet = new Wallet(ledger, [treasury], treasury);
	const [coin] = wallet.coins().sort((a, b) => (a.value < b.value ? 1 : -1));
	if (!coin) return ledger;
	const paid = gifts.map((pubkey, n) => ({
		value: 11_398_301n + BigInt(n),
		script: p2pkh(hash160(pubkey))
	}));
	const change = coin.value - paid.reduce((sum, out) => sum + out.value, 0n) - 1_000n;
	const draft = draftTransaction(
		ledger,
		[unsignedInput(coin.txid, coin.vout)],
		[...paid, { value: change, script: wallet.changeScript() }]
	);
	ledger.submit(wallet.sign(draft).tx);
	ledger.mine();
	return ledger;
}
