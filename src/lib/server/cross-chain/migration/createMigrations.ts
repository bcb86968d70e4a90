/** Carrying coins and tokens from chain to chain: what pages and commands use. */
import { randomBytes } from 'node:crypto';
import { decodeAddress, isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn, payoutsHash, serializePayouts } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, ChainParseError } from '#lib/chain/bytes.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { classify } from '#lib/chain/script.ts';
import {
	parseTransaction,
	serializeTransaction,
	txidOf,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { LimitError } from '../../access/policy/limits/limits.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import { explainUpstream } from '../../chains/daemon/explain.ts';
import {
	askerOf,
	findImport,
	findTransaction,
	firstBlockSince,
	type Asker,
	type FoundImport
} from '../../chains/daemon/lookup.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { UpstreamError } from '../../chains/daemon/types.ts';
import { createIndexReader } from '../../chains/health/indexMemory.ts';
import type { FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outcome, RunnerParts } from '../../platform/jobs/runner.ts';
import { UtxoLocked, type Locks } from '../../wallet/locked-utxos/locks.ts';
import { SendingError } from '../../wallet/transactions/errors.ts';
import { createBook } from '../notary-approvals/book.ts';
import type { CrossChainTables } from '../tables.ts';
import {
	buildBurn,
	buildSentence,
	isStillGood,
	lockedOutputs,
	readBurn,
	type BuiltBurn
} from './buildBurn.ts';
import { readHex, type BurnReview } from './burnReview.ts';
import type { Check } from './check.ts';
import { completeInputs } from './chooseOutputs.ts';
import { compose } from './customBurn.ts';
import { composedParts, readCustom, type CustomInput, type Outpoint } from './customRequest.ts';
import { createEngine } from './engine.ts';
import { findOwnBurn } from './ownBurn.ts';
import { preflight, type Preflight, type Route } from './preflight.ts';
import { createPublishing, published, type Publishing } from './publish.ts';
import { knownRecipients } from './recipients.ts';
import {
	MAIN_CHAIN,
	readRequest,
	type Composed,
	type FieldErrors,
	type MigrationInput,
	type MigrationRequest
} from './request.ts';
import { resume, resumeState } from './resume.ts';
import { APPROVALS, BEFORE_BURN, type MigrationPolicy } from './states.ts';
import type { StepId } from './steps.ts';
import {
	MigrationStore,
	type EventRow,
	type ListFilter,
	type Loaded,
	type MigrationRow,
	type StepChange
} from './store.ts';
import { stoppedMigrations } from './summary.ts';
import { nameOfToken, sizeOf } from './tokenFacts.ts';
import { tokenPayouts } from './tokenFacts.ts';
import { sizeVerdict } from './tokenSize.ts';
import { words } from './words.ts';

export interface MigrationsOptions {
	db: Database<CrossChainTables>;
	locks: Locks;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Rights;
	/** When a block is final, by chain; the usual rule for a chain that is not named. */
	finality?: ReadonlyMap<string, FinalityRule>;
	/** Unix milliseconds. */
	clock?: () => number;
	leaseMs?: number;
	onError?: (error: unknown) => void;
	/** Hears how each move ended. */
	onStep?: RunnerParts['onStep'];
	/** Called after each write that is on disk: `n` counts from 1. */
	onStored?: (n: number) => void;
}

export type DraftResult =
	| { kind: 'invalid'; errors: FieldErrors }
	| { kind: 'refused'; checks: Check[] }
	| { kind: 'drafted'; id: string; checks: Check[] };

export type ConfirmResult =
	| { kind: 'confirmed' }
	/** The outputs were spent meanwhile: there is a new burn to be reviewed. */
	| { kind: 'rebuilt' }
	| { kind: 'refused'; checks: Check[] }
	/** It is in another state than the person saw. */
	| { kind: 'moved-on' };

/**
 * - `approved`: the import goes out
 * - `one-more`: another person has to approve it too
 * - `same-person`: this person's word is there already and counts once
 * - `moved-on`: it did not wait for approval
 */
export type ApprovalResult = 'approved' | 'one-more' | 'same-person' | 'moved-on';

/** What became of the stopped migrations. */
export interface RetriedAll {
	retried: number;
	refused: { id: string; why: string }[];
}

export type OpenResult = { kind: 'opened'; id: string } | { kind: 'refused'; sentence: string };

export interface MigrationView extends Loaded {
	events: EventRow[];
	/** The burn, read again from its bytes; null while it cannot be read (a parent is out of reach). */
	burn: BurnReview | null;
}

export interface Migrations extends Publishing {
	/** Checks, builds the burn, reads it and stores it for review. Nothing is sent. */
	draft(input: MigrationInput, actor: string): Promise<DraftResult>;
	/** The same for a burn of chosen outputs, or of a transaction that was brought along. */
	draftCustom(input: CustomInput, actor: string): Promise<DraftResult>;
	/** The checks of a stored migration as they stand now, for somebody who could send its burn. */
	checksOf(row: MigrationRow, steps: Loaded['steps'], person: string): Promise<Check[]>;
	/** Sends a reviewed burn: from here on it goes by itself. */
	confirm(id: string, actor: string): Promise<ConfirmResult>;
	/** Lets the import be sent, where the policy asks one person or two. */
	approveStep(id: string, actor: string): Promise<ApprovalResult>;
	/**
	 * Gives a draft up. False when its burn was confirmed already.
	 * @throws {SendingError} `not-yours`
	 */
	abandon(id: string, actor: string): Promise<boolean>;
	/**
	 * Takes a stopped migration up where it stopped. False when it is not stopped.
	 * @throws {SendingError} `not-yours` when its burn may have to be sent
	 */
	retry(id: string, actor: string): Promise<boolean>;
	/** The same for all that are stopped; those that are not this person's to retry stay stopped. */
	retryAll(actor: string): Promise<RetriedAll>;
	/** How many stopped and need a person. */
	stopped(): Promise<number>;
	get(id: string): Promise<MigrationView | null>;
	list(filter?: ListFilter): Promise<MigrationRow[]>;
	/**
	 * Takes up a burn that was made elsewhere, by the txid of the burn or of its import.
	 * @param address the recipient; needed where neither the import nor a known address tells
	 */
	openByBurn(txid: string, chain: string, actor: string, address?: string): Promise<OpenResult>;
	/** Looks at a migration now. */
	poke(id: string): Promise<void>;
	/** Moves one migration as far as it goes; for commands and tests without a worker. */
	advance(id: string): Promise<Outcome>;
	start(): void;
	stop(): Promise<void>;
}

/** What a record of an act says of an amount. */
const amountText = ({ amount, tokenid }: { amount: bigint; tokenid: string | null }): string =>
	tokenid === null ? formatCoins(amount) : `${amount} units`;

/** How often a draft is built again because others of the same moment took its outputs. */
const LOCK_TRIES = 5;

const newId = (): string => randomBytes(10).toString('hex');
const refusal = (sentence: string, id = 'burn'): Check => ({ id, result: 'fail', sentence });

/** The bytes of a burn that nobody here built. */
interface ForeignBurn {
	tx: Transaction;
	payouts: TxOut[] | null;
}

export function createMigrations(options: MigrationsOptions): Migrations {
	const { gateway, rights } = options;
	const store = new MigrationStore(options);
	const book = createBook({ db: options.db, gateway, clock: options.clock });
	const worker = createEngine({
		gateway,
		store,
		book,
		finality: options.finality,
		leaseMs: options.leaseMs,
		onError: options.onError,
		onStep: options.onStep
	});

	const indexesOf = createIndexReader(gateway);

	/** The gateway with the wallets that a person uses. */
	const gatewayOf = (person: string): Promise<Gateway> => rights.gatewayOf(person);

	/** Why a person must not use the wallet of a daemon, as a check that failed; null when they may. */
	async function foreignWallet(
		person: string,
		daemon: string,
		act?: string
	): Promise<Check | null> {
		const no = await rights.walletRefusal(person, daemon, act);
		return no === null ? null : { ...refusal(no, 'wallet'), field: 'source' };
	}

	/**
	 * Looks at everything that can be known before the burn; no daemon is asked for somebody who may not use
	 * the wallet. (Whoever may use one wallet of a chain is given no other.)
	 */
	async function checkFor(
		person: string,
		request: MigrationRequest,
		act?: string
	): Promise<Preflight> {
		const mine = await gatewayOf(person);
		const wallet = mine.daemonFor(request.source, 'wallet');
		const foreign = wallet ? await foreignWallet(person, wallet.id, act) : null;
		return foreign ? { checks: [foreign], route: null } : preflight(mine, request, indexesOf);
	}

	/** Why a person's limit would refuse what they ask for, as a check that failed; null when it fits. */
	async function overLimit(person: string, request: MigrationRequest): Promise<Check | null> {
		const amount = request.tokenid === null ? request.amount + IMPORT_FEE : 0n;
		const usage = { kind: 'migration', amount } as const;
		const no = await rights.limitRefusal(person, request.source, [usage], 'migration');
		return no === null ? null : { ...refusal(no, 'limit'), field: 'amount' };
	}

	async function buildFor(request: MigrationRequest, route: Route): Promise<BuiltBurn | Check> {
		let built: BuiltBurn;
		try {
			built = await buildBurn(gateway, request, route);
		} catch (error) {
			return refusal(buildSentence(error));
		}
		const { dataCarrierSize } = route.destinationDaemon;
		const size = sizeOf(built.hex);
		const verdict = size && sizeVerdict(size, request.destination, dataCarrierSize);
		if (verdict?.result === 'fail') return refusal(verdict.sentence, 'token-size');
		if (dataCarrierSize !== null && built.review.size + 200 > dataCarrierSize) {
			return refusal(
				`${request.destination} relays data outputs of ${dataCarrierSize} bytes at most; the import of this burn would need more.`,
				'datacarriersize'
			);
		}
		return built;
	}

	const requestOf = ({ row, steps }: Pick<Loaded, 'row' | 'steps'>): MigrationRequest => {
		const composed = steps.get('compose');
		return {
			source: row.source,
			destination: row.destination,
			address: row.address,
			amount: row.amount,
			policy: row.policy,
			tokenid: row.tokenid,
			...(row.route === 'backup' ? { approvals: true } : {}),
			composed:
				typeof composed?.hex === 'string'
					? {
							hex: composed.hex,
							pasted: composed.evidence['pasted'] === true,
							added: Number(composed.evidence['added'] ?? 0)
						}
					: null
		};
	};

	async function draft(input: MigrationInput, actor: string): Promise<DraftResult> {
		const read = readRequest(input);
		if ('errors' in read) return { kind: 'invalid', errors: read.errors };
		return draftRequest(read.request, actor);
	}

	/** Composes a transaction from chosen outputs and as many others as are missing. @throws {ReviewError} {UpstreamError} */
	async function composeFrom(
		chain: string,
		ask: Asker,
		chosen: readonly Outpoint[],
		payouts: readonly TxOut[]
	): Promise<Composed> {
		const total = payouts.reduce((sum, { value }) => sum + value, IMPORT_FEE);
		const [wallet, locked] = await Promise.all([
			ask.call('listunspent', 0),
			lockedOutputs(store, { chain, daemon: ask.daemon }, null)
		]);
		const inputs = completeInputs(chosen, wallet, locked, total);
		return {
			hex: await compose(ask, inputs, payouts),
			pasted: false,
			added: inputs.length - chosen.length
		};
	}

	async function draftCustom(input: CustomInput, actor: string): Promise<DraftResult> {
		const read = readCustom(input);
		if ('errors' in read) return { kind: 'invalid', errors: read.errors };
		const { source, destination, policy, inputs, payouts, raw } = read.request;
		const refused = (check: Check): DraftResult => ({ kind: 'refused', checks: [check] });
		if (source === destination) {
			return refused({
				...refusal('Choose two different chains.', 'chains'),
				field: 'destination'
			});
		}
		const daemon = (await gatewayOf(actor)).daemonFor(source, 'wallet');
		if (!daemon) {
			return refused({
				...refusal(`No wallet is configured for ${source}.`, 'chains'),
				field: 'source'
			});
		}
		const foreign = await foreignWallet(actor, daemon.id, 'migration drafted');
		if (foreign) return refused(foreign);
		const amount = payouts.reduce((sum, { value }) => sum + value, 0n);
		const address = classify(payouts[0]?.script ?? new Uint8Array()).address ?? '';
		let composed: Composed;
		try {
			composed =
				raw === null
					? await composeFrom(source, askerOf(gateway, daemon.id), inputs, payouts)
					: { hex: raw, pasted: true, added: 0 };
		} catch (error) {
			return refused(refusal(buildSentence(error)));
		}
		return draftRequest(
			{ source, destination, policy, address, amount, tokenid: null, composed },
			actor
		);
	}

	/** The steps of a built burn, each with what it gave. */
	function stepsOfBurn(
		built: BuiltBurn,
		{ composed }: MigrationRequest,
		before: Loaded['steps'] | null
	): StepChange[] {
		const change = (step: StepId, to: string): StepChange => ({
			step,
			hex: { from: before?.get(step)?.hex ?? null, to }
		});
		const { custom } = built;
		const made: StepChange[] = custom
			? [
					{
						...change('compose', custom.composed),
						evidence: { pasted: composed?.pasted ?? false, added: composed?.added ?? 0 },
						done: true
					},
					{ ...change('convert', custom.exported), done: true },
					{ ...change('fund', custom.funded), done: true }
				]
			: [];
		return [...made, { ...change('burn', built.hex), txid: built.review.txid }];
	}

	/** Other outputs for a burn whose usual ones another draft has; null when there are none. @throws {ReviewError} {UpstreamError} */
	async function withOtherOutputs(
		request: MigrationRequest,
		route: Route
	): Promise<MigrationRequest | null> {
		const { source, address, amount, tokenid, composed } = request;
		// A daemon that chooses by itself cannot be told what it must leave alone, and only coins can be composed.
		const isChosen =
			composed !== null && composed.added < composedParts(composed.hex).inputs.length;
		if (tokenid !== null || composed?.pasted === true || isChosen) return null;
		const payouts = [{ value: amount, script: p2pkh(decodeAddress(address).hash) }];
		const ask = askerOf(gateway, route.sourceDaemon.id);
		const others = await composeFrom(source, ask, [], payouts);
		return others.added === 0 ? null : { ...request, composed: others };
	}

	/** What a draft is told whose outputs another one has. */
	function lockedBy({ message, at }: UtxoLocked): Check {
		return {
			...refusal(message, 'locked-utxos'),
			remedy: { href: at, label: 'Show what spends them' }
		};
	}

	async function draftRequest(
		request: MigrationRequest,
		actor: string,
		tries = LOCK_TRIES
	): Promise<DraftResult> {
		const { checks, route } = await checkFor(actor, request, 'migration drafted');
		if (!route) return { kind: 'refused', checks };
		const over = await overLimit(actor, request);
		if (over) return { kind: 'refused', checks: [...checks, over] };
		const built = await buildFor(request, route);
		if ('result' in built) return { kind: 'refused', checks: [...checks, built] };
		// The same burn built twice is one draft: its bytes are the same.
		const same = await store.byBurn(built.review.txid);
		if (same !== null) return { kind: 'drafted', id: same, checks };
		try {
			const id = await keepDraft(request, route, built, actor);
			return { kind: 'drafted', id, checks };
		} catch (error) {
			if (!(error instanceof UtxoLocked)) throw error;
			let others: MigrationRequest | null;
			try {
				others = tries > 1 ? await withOtherOutputs(request, route) : null;
			} catch (cause) {
				return { kind: 'refused', checks: [...checks, refusal(buildSentence(cause))] };
			}
			if (others !== null) return draftRequest(others, actor, tries - 1);
			return { kind: 'refused', checks: [...checks, lockedBy(error)] };
		}
	}

	/** Stores a built burn for review and locks what it spends. @throws {UtxoLocked} */
	async function keepDraft(
		request: MigrationRequest,
		route: Route,
		built: BuiltBurn,
		actor: string
	): Promise<string> {
		const id = newId();
		const tokenName = request.tokenid === null ? null : nameOfToken(built.hex);
		return store.insert(
			{
				id,
				route: request.approvals ? 'backup' : built.custom === null ? 'notarized' : 'custom',
				source: request.source,
				destination: request.destination,
				source_daemon: route.sourceDaemon.id,
				destination_daemon: route.destinationDaemon.id,
				kmd_daemon: route.kmdDaemon.id,
				ccid: BigInt(route.ccid),
				pubkey: route.pubkey,
				tokenid: request.tokenid,
				token_name: tokenName,
				address: request.address,
				amount: request.amount,
				payouts: built.payouts,
				burn_txid: built.review.txid,
				import_scan_from: BigInt(route.destinationHeight),
				created_by: actor,
				policy: request.policy,
				state: 'draft',
				approved_by: null,
				approved_too: null,
				due_at: null,
				reason: null
			},
			{
				steps: [
					...stepsOfBurn(built, request, null),
					{ step: 'burn-confirmed' },
					...(request.approvals
						? [{ step: 'approvals' as const, evidence: published(store.now, actor) }]
						: [])
				],
				event: { step: 'burn', words: words.drafted(request.amount, tokenName, request) },
				audit: {
					actor,
					action: 'migration.drafted',
					target: id,
					detail: {
						source: request.source,
						destination: request.destination,
						address: request.address,
						amount: amountText(request),
						...(request.tokenid === null ? {} : { tokenid: request.tokenid }),
						txid: built.review.txid
					}
				}
			},
			built.review.inputs
		);
	}

	/** The request with a composed transaction whose time begins anew; one that was brought along stays. */
	async function renewed(request: MigrationRequest, route: Route): Promise<MigrationRequest> {
		const { composed } = request;
		if (composed === null || composed.pasted) return request;
		const { inputs, payouts } = composedParts(composed.hex);
		const hex = await compose(askerOf(gateway, route.sourceDaemon.id), inputs, payouts);
		return { ...request, composed: { ...composed, hex } };
	}

	async function rebuild(loaded: Loaded, route: Route): Promise<ConfirmResult> {
		const { row, steps } = loaded;
		let request = requestOf(loaded);
		try {
			request = await renewed(request, route);
		} catch (error) {
			return { kind: 'refused', checks: [refusal(buildSentence(error))] };
		}
		const built = await buildFor(request, route);
		if ('result' in built) return { kind: 'refused', checks: [built] };
		try {
			const done = await store.act(
				row.id,
				BEFORE_BURN,
				{
					state: 'draft',
					reason: null,
					steps: stepsOfBurn(built, request, steps),
					event: { step: 'burn', words: words.rebuilt }
				},
				{ burn_txid: built.review.txid, payouts: built.payouts, pubkey: route.pubkey },
				undefined,
				(trx) => store.lock(trx, row, built.review.inputs)
			);
			return { kind: done ? 'rebuilt' : 'moved-on' };
		} catch (error) {
			if (!(error instanceof UtxoLocked)) throw error;
			return { kind: 'refused', checks: [lockedBy(error)] };
		}
	}

	/**
	 * Takes up the burn of a draft that is on its chain already; nothing is sent. Null when it is not there,
	 * false when the migration has moved on.
	 * @throws {UpstreamError}
	 */
	async function adopt(loaded: Loaded, actor: string): Promise<boolean | null> {
		const { row, steps } = loaded;
		const burn = await findOwnBurn(askerOf(gateway, row.source_daemon), loaded);
		if (burn === null) return null;
		const owner = await store.byBurn(burn.txid);
		// Another migration carries it on: this draft is for something else.
		if (owner !== null && owner !== row.id) return null;
		const done = await store.act(
			row.id,
			BEFORE_BURN,
			{
				state: 'burn-unknown',
				reason: null,
				due: store.now,
				steps: [
					{
						step: 'burn',
						hex: { from: steps.get('burn')?.hex ?? null, to: burn.hex },
						txid: burn.txid,
						started: true
					}
				],
				event: { step: 'burn', words: words.alreadyBurned(actor, row.source) },
				audit: {
					actor,
					action: 'migration.confirmed',
					target: row.id,
					detail: { txid: burn.txid, amount: amountText(row), chain: row.source, found: true }
				}
			},
			{ burn_txid: burn.txid }
		);
		worker.poke();
		return done;
	}

	async function confirm(id: string, actor: string): Promise<ConfirmResult> {
		const loaded = await store.load(id);
		const hex = loaded?.steps.get('burn')?.hex;
		if (!loaded || !hex || !BEFORE_BURN.includes(loaded.row.state)) return { kind: 'moved-on' };
		const { row } = loaded;
		const foreign = await foreignWallet(actor, row.source_daemon, 'migration confirmed');
		if (foreign) return { kind: 'refused', checks: [foreign] };
		try {
			const adopted = await adopt(loaded, actor);
			if (adopted !== null) return { kind: adopted ? 'confirmed' : 'moved-on' };
		} catch (error) {
			return { kind: 'refused', checks: [refusal(buildSentence(error))] };
		}
		const { checks, route } = await checkFor(actor, requestOf(loaded));
		const failed = (more: Check[] = checks): ConfirmResult => ({ kind: 'refused', checks: more });
		if (!route) {
			const reason = checks.find(({ result }) => result === 'fail')?.sentence ?? '';
			const isNew = row.state !== 'preflight-failed' || row.reason !== reason;
			if (isNew) {
				await store.act(id, [row.state], {
					state: 'preflight-failed',
					reason,
					event: { step: 'burn', words: words.preflightFailed(reason) }
				});
			}
			return failed();
		}
		const ask = askerOf(gateway, row.source_daemon);
		try {
			const sameWallet = route.sourceDaemon.id === row.source_daemon && route.pubkey === row.pubkey;
			if (!sameWallet || !(await isStillGood(ask, store, row, hex))) {
				return await rebuild(loaded, route);
			}
			// The bytes are read once more: what is confirmed is what is sent.
			await readBurn(ask, { hex, payouts: row.payouts ?? '' }, requestOf(loaded), route);
		} catch (error) {
			return failed([...checks, refusal(buildSentence(error))]);
		}
		try {
			const spend = await rights.measureSpend(actor, row.source_daemon, hex);
			const done = await store.act(
				id,
				BEFORE_BURN,
				{
					state: 'burn-unknown',
					reason: null,
					due: store.now,
					scanFrom: BigInt(route.destinationHeight),
					steps: [{ step: 'burn', started: true }],
					event: { step: 'burn', words: words.confirmed(actor) },
					audit: {
						actor,
						action: 'migration.confirmed',
						target: id,
						detail: { txid: row.burn_txid, amount: amountText(row), chain: row.source }
					}
				},
				{},
				undefined,
				async (trx) => {
					// A draft that was left alone may have lost them; once it is confirmed nobody else gets them.
					await store.lock(trx, row, readHex(hex, 'a burn').vin);
					await rights.recordSpend(spend, trx);
				}
			);
			worker.poke();
			return { kind: done ? 'confirmed' : 'moved-on' };
		} catch (error) {
			if (error instanceof UtxoLocked) return failed([...checks, lockedBy(error)]);
			if (!(error instanceof LimitError)) throw error;
			await rights.spendRefused(actor, row.source_daemon, hex, 'migration', error);
			return failed([...checks, refusal(error.message, 'limit')]);
		}
	}

	async function approveStep(id: string, actor: string): Promise<ApprovalResult> {
		const loaded = await store.load(id);
		if (loaded?.row.state !== 'needs-approval') return 'moved-on';
		const { policy, approved_by: first } = loaded.row;
		if (first === actor) return 'same-person';
		const audit = { actor, action: 'migration.approved', target: id };
		const isFirstOfTwo = APPROVALS[policy] === 2 && first === null;
		const done = await store.act(
			id,
			['needs-approval'],
			isFirstOfTwo
				? {
						reason: words.approvedFirst(actor),
						event: { step: 'import-sent', words: words.approvedFirst(actor) },
						audit
					}
				: {
						state: 'ready-to-import',
						reason: null,
						due: store.now,
						event: { step: 'import-sent', words: words.approved(actor) },
						audit
					},
			first === null ? { approved_by: actor } : { approved_too: actor },
			{ approvedBy: first }
		);
		// Somebody else's word came in between: this one is counted after it.
		if (!done) return approveStep(id, actor);
		worker.poke();
		return isFirstOfTwo ? 'one-more' : 'approved';
	}

	/** Before somebody ends what may be in another's hands. @throws {SendingError} `not-yours` */
	async function refuseEnding(row: MigrationRow, actor: string, act: string): Promise<void> {
		const { id, created_by: by, source_daemon: daemon } = row;
		const no = await rights.endRefusal(actor, { kind: 'migration', id, by, daemon }, act);
		if (no !== null) throw new SendingError('not-yours', `${no} Nothing was changed.`);
	}

	async function abandon(id: string, actor: string): Promise<boolean> {
		const loaded = await store.load(id);
		if (loaded) await refuseEnding(loaded.row, actor, 'migration abandoned');
		return store.act(
			id,
			BEFORE_BURN,
			{
				state: 'abandoned',
				due: null,
				event: { step: 'burn', words: words.abandoned(actor) },
				audit: { actor, action: 'migration.abandoned', target: id }
			},
			// The wallet may build the very same burn again.
			{ burn_txid: null }
		);
	}

	async function retry(id: string, actor: string): Promise<boolean> {
		const loaded = await store.load(id);
		if (loaded?.row.state !== 'stuck') return false;
		const state = resumeState(loaded);
		// A burn that may still have to go out takes from a wallet; what comes after it does not.
		const burns = state === 'burn-unknown' && loaded.row.pubkey !== null;
		const foreign =
			burns && (await foreignWallet(actor, loaded.row.source_daemon, 'migration retried'));
		if (foreign) throw new SendingError('not-yours', foreign.sentence);
		const done = await resume(store, loaded, actor);
		worker.poke();
		return done;
	}

	async function retryAll(actor: string): Promise<RetriedAll> {
		const all: RetriedAll = { retried: 0, refused: [] };
		for (const id of await store.stopped()) {
			try {
				if (await retry(id, actor)) all.retried += 1;
			} catch (error) {
				if (!(error instanceof SendingError)) throw error;
				all.refused.push({ id, why: error.message });
			}
		}
		const { retried, refused } = all;
		const detail = { retried, refused: refused.length };
		await options.audit.append({ actor, action: 'migration.retried-all', detail });
		return all;
	}

	async function get(id: string): Promise<MigrationView | null> {
		const loaded = await store.load(id);
		if (!loaded) return null;
		return { ...loaded, events: await store.events(id), burn: await burnOf(loaded) };
	}

	async function burnOf(loaded: Loaded): Promise<BurnReview | null> {
		const { row, steps } = loaded;
		const hex = steps.get('burn')?.hex;
		if (!hex || !BEFORE_BURN.includes(row.state) || row.pubkey === null) return null;
		try {
			const ask = askerOf(gateway, row.source_daemon);
			const route = { ccid: Number(row.ccid), pubkey: row.pubkey };
			return await readBurn(ask, { hex, payouts: row.payouts ?? '' }, requestOf(loaded), route);
		} catch (error) {
			buildSentence(error);
			return null;
		}
	}

	/** The burn behind a txid, which may be its import's. @throws {UpstreamError} */
	async function foreignBurn(txid: string, chain: string): Promise<ForeignBurn | string> {
		const daemon = gateway.daemonFor(chain, 'read') ?? gateway.daemonFor(chain, 'wallet');
		if (!daemon) return `${chain} is not configured.`;
		const found = await findTransaction(askerOf(gateway, daemon.id), txid);
		if (found.where === 'absent') return `${chain} has no transaction with this id.`;
		let tx: Transaction;
		try {
			tx = parseTransaction(found.hex);
		} catch (error) {
			if (!(error instanceof ChainParseError)) throw error;
			return 'This transaction cannot be read.';
		}
		const imported = parseImport(tx);
		if (imported) return { tx: imported.burnTx, payouts: imported.payouts };
		return { tx, payouts: null };
	}

	/** Who a burn pays: an address that gives the hash that the burn holds. */
	async function payoutsOf(
		hash: Uint8Array,
		value: bigint,
		tries: readonly string[]
	): Promise<TxOut[] | null> {
		for (const address of tries) {
			const payouts = [{ value, script: p2pkh(decodeAddress(address).hash) }];
			if (bytesEqual(payoutsHash(payouts), hash)) return payouts;
		}
		return null;
	}

	/** Whether a burn was imported already, and from which block on that is still unknown. */
	async function importOf(
		source: Asker,
		target: Asker,
		burnTxid: string
	): Promise<{ found: FoundImport | null; from: bigint }> {
		const burn = await findTransaction(source, burnTxid);
		let from =
			burn.where === 'mined'
				? BigInt(await firstBlockSince(source, burn.blockhash, target))
				: BigInt((await target.call('getinfo')).blocks);
		for (;;) {
			const search = await findImport(target, burnTxid, from);
			if (search.found || search.complete) return { found: search.found, from: search.from };
			({ from } = search);
		}
	}

	async function openByBurn(
		txid: string,
		chain: string,
		actor: string,
		address?: string
	): Promise<OpenResult> {
		const before = await store.byBurn(txid);
		if (before !== null) return { kind: 'opened', id: before };
		const refuse = (sentence: string): OpenResult => ({ kind: 'refused', sentence });
		let foreign: ForeignBurn | string;
		try {
			foreign = await foreignBurn(txid, chain);
		} catch (error) {
			if (!(error instanceof UpstreamError)) throw error;
			return refuse(explainUpstream(error).what);
		}
		if (typeof foreign === 'string') return refuse(foreign);
		const burnTxid = txidOf(foreign.tx);
		const also = await store.byBurn(burnTxid);
		if (also !== null) return { kind: 'opened', id: also };
		const burn = parseBurn(foreign.tx);
		if (!burn)
			return refuse('This transaction neither burns coins for another chain nor imports them.');
		const sourceDaemon = gateway.daemonFor(burn.sourceSymbol, 'wallet');
		const destinationDaemon = gateway.daemonFor(burn.targetSymbol, 'wallet');
		const kmdDaemon =
			gateway.daemonFor(MAIN_CHAIN, 'read') ?? gateway.daemonFor(MAIN_CHAIN, 'wallet');
		if (!sourceDaemon || !destinationDaemon || !kmdDaemon) {
			return refuse(
				`This burn goes from ${burn.sourceSymbol} to ${burn.targetSymbol}; both and ${MAIN_CHAIN} have to be configured.`
			);
		}
		const known = await knownRecipients(
			options.db,
			gateway,
			[burn.targetSymbol, burn.sourceSymbol],
			(await store.list({ limit: 500 })).map((row) => row.address)
		);
		const addresses = [
			...(address && isValidAddress(address) ? [address] : []),
			...foreign.tx.vout.flatMap(({ script }) => classify(script).address ?? []),
			...known.addresses
		];
		const keys = [
			...(address && /^0[23][0-9a-f]{64}$/.test(address) ? [address] : []),
			...known.keys
		];
		const payouts =
			foreign.payouts ??
			(burn.tokenCreationTx
				? tokenPayouts(foreign.tx, burn, [...new Set(keys)])
				: await payoutsOf(burn.payoutsHash, burn.value - IMPORT_FEE, [...new Set(addresses)]));
		if (!payouts && burn.tokenCreationTx) {
			return refuse(
				'The burn holds only a hash of who receives the token. Enter the public key to which it was sent.'
			);
		}
		if (!payouts) {
			return refuse(
				'The burn holds only a hash of who receives the coins. Enter the address to which they were sent.'
			);
		}
		const tokenid = burn.tokenCreationTx ? txidOf(burn.tokenCreationTx) : null;
		const amount =
			tokenid === null
				? payouts.reduce((sum, { value }) => sum + value, 0n)
				: (payouts[1]?.value ?? 0n);
		const to =
			(tokenid === null
				? classify(payouts[0]?.script ?? new Uint8Array()).address
				: keys.find((key) => tokenPayouts(foreign.tx, burn, [key]) !== null)) ?? '';
		let imported: Awaited<ReturnType<typeof importOf>>;
		try {
			imported = await importOf(
				askerOf(gateway, sourceDaemon.id),
				askerOf(gateway, destinationDaemon.id),
				burnTxid
			);
		} catch (error) {
			if (!(error instanceof UpstreamError)) throw error;
			return refuse(`Whether it was imported already could not be found out: ${error.message}`);
		}
		const newOne = newId();
		// Whoever opens the same burn at the same moment gets the one that was stored first.
		const id = await store.insert(
			{
				id: newOne,
				route: 'notarized',
				source: burn.sourceSymbol,
				destination: burn.targetSymbol,
				source_daemon: sourceDaemon.id,
				destination_daemon: destinationDaemon.id,
				kmd_daemon: kmdDaemon.id,
				ccid: BigInt(burn.targetCcid),
				pubkey: null,
				tokenid,
				token_name:
					tokenid === null ? null : nameOfToken(bytesToHex(serializeTransaction(foreign.tx))),
				address: to,
				amount,
				payouts: bytesToHex(serializePayouts(payouts)),
				burn_txid: burnTxid,
				import_scan_from: imported.from,
				created_by: actor,
				policy: 'ask' satisfies MigrationPolicy,
				state: imported.found ? 'import-pending' : 'burn-unknown',
				approved_by: null,
				approved_too: null,
				due_at: BigInt(store.now),
				reason: null
			},
			{
				steps: [
					{
						step: 'burn',
						hex: { from: null, to: bytesToHex(serializeTransaction(foreign.tx)) },
						txid: burnTxid,
						started: true
					},
					...(imported.found
						? [{ step: 'import-sent' as const, txid: imported.found.txid, started: true as const }]
						: [])
				],
				event: { step: 'burn', words: words.adopted(actor, burn.sourceSymbol) },
				audit: { actor, action: 'migration.opened', target: newOne, detail: { txid: burnTxid } }
			}
		);
		worker.poke();
		return { kind: 'opened', id };
	}

	return {
		draft,
		draftCustom,
		checksOf: async (row, steps, person) =>
			(await checkFor(person, requestOf({ row, steps }))).checks,
		confirm,
		approveStep,
		abandon,
		retry,
		retryAll,
		stopped: () => stoppedMigrations(options.db),
		...createPublishing(store, () => worker.poke(), refuseEnding),
		get,
		list: (filter) => store.list(filter),
		openByBurn,
		async poke(id) {
			await store.makeDue(id);
			worker.poke();
		},
		advance: (id) => worker.advance(id),
		start: () => worker.start(),
		stop: () => worker.stop()
	};
}
