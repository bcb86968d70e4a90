import { daemonSpelling } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { p2pk, p2pkh } from '#lib/chain/script.ts';
import { unsignedInput, type TxOut } from '#lib/chain/transaction.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { COIN } from './chains.ts';
import type { Network } from './network.ts';
import { Params } from './rpc/params.ts';
import { draftTransaction } from './wallet/draft.ts';
import { selectCoins } from './wallet/select.ts';
import { Wallet } from './wallet/wallet.ts';

/** How long before now the history begins, in seconds. */
const PAST = 24 * 3600;
/**
 * Each step advances the clock by this fraction of the remaining time, so that the history ends close to now.
 */
const STEP_PART = 20;
/** Initial outputs of each user's wallet, in coins: large ones for burns, small ones for fees. */
const GIFTS = [1_200_000n, 250_000n, 10_000n, 1_000n, 100n, 100n, 50n, 50n, 20n, 10n];
/** Rounds of notarizations in the history; a migration needs more than seven. */
const ROUNDS = 8;
/** KMD blocks per round: a MoMoM is computed from five blocks back. */
const KMD_BLOCKS_PER_ROUND = 6;

interface TokenPlan {
	chain: string;
	name: string;
	supply: string;
	description: string;
	data?: string;
}

const utf8Hex = (text: string): string => bytesToHex(new TextEncoder().encode(text));

const TOKENS: readonly TokenPlan[] = [
	{
		chain: 'ALPHA',
		name: 'ALPHAGOLD',
		supply: '0.01000000',
		description: 'One unit is one gram of gold in the Alpha vault'
	},
	{
		chain: 'ALPHA',
		name: 'TICKET',
		supply: '0.00000500',
		description: 'Seats of the opening night'
	},
	{
		chain: 'ALPHA',
		name: 'DEED-17',
		supply: '0.00000001',
		description: 'Title to lot 17, Harbour Street',
		data: `f1${utf8Hex('{"lot":17,"street":"Harbour Street"}')}`
	},
	{
		chain: 'ALPHA',
		name: 'LOYALTY',
		supply: '1.00000000',
		description: 'Points of the customer club'
	},
	{
		chain: 'BETA',
		name: 'BETASILVER',
		supply: '0.00250000',
		description: 'One unit is one gram of silver'
	},
	{ chain: 'BETA', name: 'VOUCHER', supply: '0.00001000', description: 'Worth one coffee' },
	{ chain: 'GAMMA', name: 'GAMMAPOINT', supply: '0.00010000', description: 'Points on Gamma' }
];

/** Builds the history that a network has before it is used. */
class Past {
	readonly #network: Network;
	readonly #end: number;
	#clock: number;

	constructor(network: Network) {
		this.#network = network;
		this.#end = network.now();
		this.#clock = this.#end - PAST;
		network.setClock(this.#clock);
	}

	/** Ends the history and switches to the real clock. */
	finish(): void {
		this.#network.setClock(null);
	}

	/** Calls a daemon's own method, so that history is built by the same code as later transactions. */
	call(daemon: string, method: string, ...params: JsonValue[]): JsonValue {
		const result = this.#network.daemon(daemon).call(method, new Params(params));
		if (result === undefined) throw new Error(`${method} is not served`);
		return result;
	}

	text(daemon: string, method: string, member: string, ...params: JsonValue[]): string {
		const result = this.call(daemon, method, ...params);
		const value =
			result !== null && typeof result === 'object' && member in result
				? (result as { readonly [key: string]: JsonValue })[member]
				: undefined;
		if (typeof value !== 'string' || value === '') {
			throw new Error(`${method} on ${daemon} gave no ${member}: ${JSON.stringify(result)}`);
		}
		return value;
	}

	send(daemon: string, hex: string): string {
		const txid = this.call(daemon, 'sendrawtransaction', hex);
		if (typeof txid !== 'string') throw new Error(`${daemon} gave no txid`);
		return txid;
	}

	mine(chain: string, count = 1, pubkey?: string): void {
		for (let n = 0; n < count; n++) {
			this.#clock += Math.floor((this.#end - this.#clock) / STEP_PART);
			this.#network.setClock(this.#clock);
			this.#network.ledger(chain).mine(pubkey === undefined ? {} : { pubkey });
		}
	}

	/**
	 * Mines the first blocks of asset chains to their own daemons, which thereby own the issued coins. The
	 * main chain keeps only its genesis block.
	 */
	beginYoung(): void {
		for (const { symbol, params } of this.#network.assetChains) {
			this.mine(symbol, params.maturity + 1, this.#network.daemon(symbol).key.pubkeyHex);
		}
	}

	/** Mines until Sapling is active and the premine is spendable, then funds users and notaries. */
	start(): void {
		for (const [name, ledger] of this.#network.ledgers) {
			const { maturity, saplingHeight } = ledger.params;
			this.mine(name, Math.max(maturity, saplingHeight) + 1);
			this.#give(name);
			this.mine(name);
			this.#network.notaries.refill(ledger);
			this.mine(name);
		}
	}

	#give(chain: string): void {
		const { treasury, daemons } = this.#network;
		const ledger = this.#network.ledger(chain);
		const wallet = new Wallet(ledger, [treasury], treasury);
		const vout: TxOut[] = [...daemons.values()]
			.filter((daemon) => daemon.ledger === ledger)
			.flatMap(({ id, key }) =>
				id === chain
					? GIFTS.map((value) => ({
							value: value * COIN,
							script: p2pkh(hash160(key.pubkey))
						}))
					: [1n, 1n, 1n, 1n].map((value) => ({ value: value * COIN, script: p2pk(key.pubkey) }))
			);
		for (const { pubkey, value } of this.#network.trading.gifts()) {
			vout.push({ value, script: p2pkh(hash160(pubkey)) });
		}
		const total = vout.reduce((sum, out) => sum + out.value, COIN);
		const chosen = selectCoins(wallet.coins(), total, 10);
		if (!chosen) throw new Error(`the treasury of ${chain} cannot pay`);
		vout.push({ value: chosen.total - total, script: wallet.changeScript() });
		const vin = chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout));
		const { tx } = wallet.sign(draftTransaction(ledger, vin, vout));
		ledger.submit(tx, { allowHighFees: true, signedHere: true });
	}

	/** Creates a token and returns its id. */
	token(plan: TokenPlan): string {
		const { chain, name, supply, description, data } = plan;
		const more = data === undefined ? [] : [data];
		const hex = this.text(chain, 'tokencreate', 'hex', name, supply, description, ...more);
		const tokenid = this.send(chain, hex);
		this.mine(chain);
		return tokenid;
	}

	transfer(chain: string, tokenid: string, to: string, units: string): void {
		this.send(chain, this.text(chain, 'tokentransfer', 'hex', tokenid, to, units));
		this.mine(chain);
	}

	burn(source: string, target: string, satoshi: bigint): { hex: string; payouts: string } {
		const address = this.#network.daemon(target).key.address;
		const built = this.call(
			source,
			'migrate_createburntransaction',
			target,
			address,
			daemonSpelling(satoshi)
		) as { payouts: string; BurnTxHex: string };
		this.send(source, built.BurnTxHex);
		this.mine(source);
		return { hex: built.BurnTxHex, payouts: built.payouts };
	}

	/** Notarizes all chains once. */
	round(): void {
		const network = this.#network;
		const chains = network.assetChains;
		network.notarize(chains);
		this.mine('KMD');
		for (const { symbol } of chains) {
			network.backNotarize(symbol);
			this.mine(symbol);
		}
		this.mine('KMD', KMD_BLOCKS_PER_ROUND - 1);
	}

	/** Completes the migration of a coin burn, as its owner would. */
	carry(source: string, target: string, burn: { hex: string; payouts: string }): void {
		this.round();
		const first = this.text(
			source,
			'migrate_createimporttransaction',
			'ImportTxHex',
			burn.hex,
			burn.payouts
		);
		const complete = this.text('KMD', 'migrate_completeimporttransaction', 'ImportTxHex', first);
		this.round();
		this.send(target, complete);
		this.mine(target);
	}

	selfImport(satoshi: bigint): void {
		const address = this.#network.daemon('SELF').key.address;
		const made = this.call('SELF', 'selfimport', address, daemonSpelling(satoshi)) as {
			SourceTxHex: string;
			ImportTxHex: string;
		};
		this.send('SELF', made.SourceTxHex);
		this.mine('SELF');
		this.send('SELF', made.ImportTxHex);
		this.mine('SELF');
	}
}

/**
 * Gives a new network a history: funded wallets, tokens and transfers, enough notarizations that a migration
 * completes at once, a finished migration from ALPHA to BETA, a self-import, and a burn that is not notarized
 * yet. `bare` only funds the wallets; `young` only mines the first blocks of the asset chains.
 */
export const makeHistory = (network: Network, kind: 'full' | 'bare' | 'young'): void => {
	const contexts = [...network.daemons.values()].map(({ context }) => context);
	// Daemons build tokens and burns only with these indexes, so the history is made with them on; afterwards
	// the daemons have those of the profile.
	for (const context of contexts) {
		context.addressIndex = true;
		context.spentIndex = true;
	}
	makePast(network, kind);
	for (const context of contexts) {
		context.addressIndex = network.profile.addressIndex;
		context.spentIndex = network.profile.spentIndex;
	}
};

const makePast = (network: Network, kind: 'full' | 'bare' | 'young'): void => {
	const past = new Past(network);
	if (kind === 'young') past.beginYoung();
	else past.start();
	if (kind !== 'full') {
		past.finish();
		return;
	}
	const ids = new Map(planned(network).map((plan) => [plan.name, past.token(plan)]));
	const beta = network.daemon('BETA').key.pubkeyHex;
	const alpha = network.daemon('ALPHA').key.pubkeyHex;
	const gold = ids.get('ALPHAGOLD');
	const silver = ids.get('BETASILVER');
	if (gold !== undefined) past.transfer('ALPHA', gold, beta, '250000');
	if (silver !== undefined) past.transfer('BETA', silver, alpha, '40000');
	for (let n = 0; n < ROUNDS - 2; n++) past.round();
	if (network.profile.dataCarrierSize.asset >= 10_001) {
		past.carry('ALPHA', 'BETA', past.burn('ALPHA', 'BETA', 25n * COIN));
		past.selfImport(500n * COIN);
	} else {
		past.round();
		past.round();
	}
	past.burn('ALPHA', 'BETA', 350_000_000n);
	past.finish();
};

/** Tokens whose creation the chains relay: the default relay limit is too small for long texts. */
const planned = (network: Network): TokenPlan[] =>
	TOKENS.filter(
		(plan) =>
			network.profile.dataCarrierSize.asset >= 10_001 ||
			plan.description.length + plan.name.length + (plan.data?.length ?? 0) / 2 < 150
	);
