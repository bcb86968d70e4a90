/**
 * The result of each combination of method, wrong response, before and after, by name. The gateway reads the
 * response over HTTP, as always; the engine's part is its pure function, run through a model of two variables.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { buildFailure } from '#lib/server/cross-chain/migration/buildBurn.ts';
import {
	transition,
	needsNoLook,
	type Decision,
	type StepEvent
} from '#lib/server/cross-chain/migration/transition.ts';
import {
	readBuildRefusal,
	readCompletionRefusal,
	readSendRefusal,
	type Refusal
} from '#lib/server/cross-chain/migration/refusals.ts';
import { resetAttempts, resumeState } from '#lib/server/cross-chain/migration/resume.ts';
import type { StepId } from '#lib/server/cross-chain/migration/steps.ts';
import type { StepPatch } from '#lib/server/cross-chain/migration/patch.ts';
import {
	stepsFrom,
	type MigrationRecord,
	type MigrationRow,
	type StepRow
} from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { gatewayTo } from '../integration/migration/support.ts';
import { give } from './harness/faultProxy.ts';
import {
	COMBINATIONS,
	METHODS,
	titleOf,
	WRONG_ANSWERS,
	type Combination,
	type FaultyMethod,
	type WrongAnswer
} from './harness/wrongAnswers.ts';

/**
 * - `form`: nothing is stored yet, and the form shows the daemon's message;
 * - `asks`: retried with doubling pauses for about an hour, then a member is asked;
 * - `asks soon`: the daemon may have crashed during the build, so a member is asked after the third;
 * - `waits`: retried more and more seldom, without end;
 * - `arrives`: the next look finds the daemon's action.
 */
type End = 'form' | 'asks' | 'asks soon' | 'waits' | 'arrives';

/** The end at each of {@link METHODS}, where the daemon fails before or after its action. */
type Ends = readonly (readonly [before: End, after: End])[];
const ASKS: Ends = [
	['form', 'form'],
	['asks', 'arrives'],
	['asks', 'asks'],
	['asks', 'asks'],
	['asks', 'arrives']
];
const WAITS: Ends = [
	['form', 'form'],
	['waits', 'arrives'],
	['waits', 'waits'],
	['waits', 'waits'],
	['waits', 'arrives']
];

/** Result for a daemon that always answers so, by response. */
const ENDS: Readonly<Record<string, Ends>> = {
	'-32603': ASKS,
	'-7': ASKS,
	'-10': ASKS,
	'-5': ASKS,
	'-28': WAITS,
	'66 mempool full': ASKS,
	'66 priority': ASKS,
	busy: WAITS,
	'a page': WAITS,
	'broken off': [
		['form', 'form'],
		['waits', 'arrives'],
		['asks soon', 'asks soon'],
		['waits', 'waits'],
		['waits', 'arrives']
	]
};

/** Refusals that are final at every call: only the listed ones are. */
const FINAL: readonly (readonly [FaultyMethod, code: number, message: string])[] = [
	['migrate_createimporttransaction', -1, 'Failed merkle block->MoM'],
	['migrate_createimporttransaction', -1, "Couldn't parse burnTx"],
	['migrate_completeimporttransaction', -1, "Couldn't parse importTx"],
	['sendrawtransaction of the import', -26, '64: scriptpubkey'],
	['sendrawtransaction of the import', -22, 'TX decode failed']
];

const RPC: Readonly<Record<FaultyMethod, DaemonMethod>> = {
	migrate_createburntransaction: 'migrate_createburntransaction',
	'sendrawtransaction of the burn': 'sendrawtransaction',
	migrate_createimporttransaction: 'migrate_createimporttransaction',
	migrate_completeimporttransaction: 'migrate_completeimporttransaction',
	'sendrawtransaction of the import': 'sendrawtransaction'
};
const PARAMS = {
	migrate_createburntransaction: ['BETA', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', '1'],
	migrate_createimporttransaction: ['00', '00'],
	migrate_completeimporttransaction: ['00'],
	sendrawtransaction: ['00']
} as const;

const NOW = 1_700_000_000_000;
const BURN = 'b1'.repeat(32);
const IMPORT = '1a'.repeat(32);
/** Number of rests after which a migration that still moves counts as waiting. */
const MANY = 60;

type Place = 'absent' | 'mempool' | 'mined';
const foundAt = (place: Place) =>
	place === 'mined'
		? ({ where: 'mined', hex: 'aa', height: 7, blockhash: 'bb' } as const)
		: place === 'mempool'
			? ({ where: 'mempool', hex: 'aa' } as const)
			: ({ where: 'absent' } as const);

/** A migration, the state of the chains that it sees, and a daemon with this many wrong responses. */
class Walk {
	readonly #method: FaultyMethod;
	readonly #refusal: Refusal;
	readonly #acts: boolean;
	wrong: number;
	burn: Place = 'absent';
	import: Place = 'absent';
	now = NOW;
	/** Times of the wrong responses. */
	readonly tried: number[] = [];
	readonly migration: MigrationRecord;

	constructor(method: FaultyMethod, refusal: Refusal, acts: boolean, wrong: number) {
		this.#method = method;
		this.#refusal = refusal;
		this.#acts = acts;
		this.wrong = wrong;
		const row = {
			id: 'one',
			path: 'notarized',
			source: 'ALPHA',
			destination: 'BETA',
			source_daemon: 'ALPHA',
			destination_daemon: 'BETA',
			kmd_daemon: 'KMD',
			burn_txid: BURN,
			policy: 'automatic',
			state: 'burn-unknown',
			approved_by: null,
			approved_too: null,
			import_scan_from: 10n,
			state_since: BigInt(NOW),
			reason: null
		} as Partial<MigrationRow> as MigrationRow;
		this.migration = { row, steps: stepsFrom([]), approvers: [] };
		this.#write({
			steps: [{ step: 'burn', hex: { from: null, to: 'aa' }, txid: BURN, started: true }]
		});
	}

	#fails(method: FaultyMethod): boolean {
		if (method !== this.#method || this.wrong === 0) return false;
		this.wrong -= 1;
		this.tried.push(this.now);
		return true;
	}

	#step({ step, hex, txid, evidence, started, done }: StepPatch): void {
		const steps = this.migration.steps as unknown as Map<StepId, StepRow>;
		const before = steps.get(step);
		steps.set(step, {
			step,
			hex: hex?.to ?? before?.hex ?? null,
			txid: txid ?? before?.txid ?? null,
			evidence: JSON.parse(JSON.stringify({ ...before?.evidence, ...evidence })) as object,
			startedAt: before?.startedAt ?? (started || done ? this.now : null),
			doneAt: before?.doneAt ?? (done ? this.now : null)
		} as StepRow);
	}

	#write({ state, reason, steps = [] }: Decision['patch']): void {
		const { row } = this.migration;
		for (const step of steps) this.#step(step);
		if (state !== undefined) Object.assign(row, { state, state_since: BigInt(this.now) });
		if (reason !== undefined) Object.assign(row, { reason });
	}

	#sent(what: 'burn' | 'import'): StepEvent {
		const about = `${what}-sent` as const;
		if (!this.#fails(`sendrawtransaction of the ${what}`)) {
			this[what] = 'mempool';
			return { about, refusal: null };
		}
		if (this.#acts) this[what] = 'mempool';
		return { about, refusal: this.#refusal };
	}

	#build(): StepEvent {
		if (this.#fails('migrate_createimporttransaction')) {
			return { about: 'build-refused', refusal: this.#refusal };
		}
		return { about: 'build', hex: 'bb', review: { root: 'r0', notarization: 'n0' } as never };
	}

	#complete(): StepEvent {
		if (this.#fails('migrate_completeimporttransaction')) {
			return { about: 'completion-refused', refusal: this.#refusal };
		}
		const review = { txid: IMPORT, root: 'r1', notarization: 'n1' } as never;
		const candidate = { offset: 0, hex: 'cc', review, known: true };
		return { about: 'completion', candidates: [candidate], tried: [] };
	}

	#look(): StepEvent | null {
		const { row, steps } = this.migration;
		const burn: StepEvent = { about: 'burn', found: foundAt(this.burn), outlook: null };
		const search = { found: null, from: 10n, complete: true };
		const found = foundAt(this.import);
		switch (row.state) {
			case 'burn-unknown':
			case 'burn-pending':
				return burn;
			case 'burn-confirmed':
			case 'waiting-back-notarization':
				return { about: 'burn-stands', approvals: null };
			case 'import-built':
			case 'waiting-target-notarization':
				return this.#complete();
			case 'stuck':
				return steps.get('burn-confirmed')?.doneAt ? { about: 'import', found, search } : burn;
			default:
				return needsNoLook(row) ? null : { about: 'import', found, search };
		}
	}

	/** Moves until it rests. */
	#move(): void {
		let event: StepEvent | null = this.#look();
		for (;;) {
			const { patch, next } = transition(this.migration, event, this.now);
			this.#write(patch);
			if (next === 'rest') {
				this.now = Math.max(this.now + 1, patch.due ?? this.now);
				return;
			}
			if (next === 'again') event = this.#look();
			else if (next === 'build') event = this.#build();
			else event = this.#sent(next === 'send-burn' ? 'burn' : 'import');
		}
	}

	/** Continues until the coins arrived, a member is asked, or it has rested many times. */
	run(): 'arrives' | 'asks' | 'waits' {
		const { row } = this.migration;
		for (let rests = 0; rests < MANY; rests++) {
			this.#move();
			if (row.state === 'stuck') return 'asks';
			if (row.state === 'done') return 'arrives';
			if (this.burn === 'mempool') this.burn = 'mined';
			if (this.import === 'mempool') this.import = 'mined';
		}
		return 'waits';
	}

	/** What the *Retry* of a member writes. */
	retry(): void {
		this.#write({
			state: resumeState(this.migration),
			reason: null,
			steps: resetAttempts(this.migration)
		});
	}
}

describe('a wrong answer', () => {
	let answer: WrongAnswer;
	const server = createServer((request, response) => {
		void (async () => {
			let body = '';
			for await (const part of request.setEncoding('utf8')) body += String(part);
			const { method, id } = JSON.parse(body) as { method: string; id: unknown };
			if (method !== 'getinfo') return give(response, answer, id);
			const result = { name: 'ALPHA', KMDversion: '0.9.0' };
			response.end(JSON.stringify({ result, error: null, id }));
		})();
	});
	beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
	afterAll(() => new Promise((done) => server.close(done)));

	/** The error that the gateway makes of the response to a call. */
	async function errorOf(method: FaultyMethod, given: WrongAnswer): Promise<unknown> {
		answer = given;
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const place = { id: 'ALPHA', chain: 'ALPHA', url, user: 'u', password: 'p' };
		const gateway = gatewayTo([place]);
		const rpc = RPC[method] as keyof typeof PARAMS;
		try {
			await gateway.call('ALPHA', rpc, PARAMS[rpc] as never);
		} catch (error) {
			return error;
		} finally {
			await gateway.close();
		}
		throw new Error('The answer was taken.');
	}

	async function refusalOf(method: FaultyMethod, given: WrongAnswer): Promise<Refusal> {
		const error = await errorOf(method, given);
		if (method === 'migrate_createimporttransaction') return readBuildRefusal(error);
		if (method === 'migrate_completeimporttransaction') return readCompletionRefusal(error);
		return readSendRefusal(error);
	}

	const endOf = ({ answer: { name }, method, when }: Combination): End =>
		ENDS[name]![METHODS.indexOf(method)]![when === 'before' ? 0 : 1];

	test('is listed with its end, each of them', () => {
		expect(COMBINATIONS).toHaveLength(100);
		expect(Object.keys(ENDS)).toEqual(
			expect.arrayContaining(WRONG_ANSWERS.map(({ name }) => name))
		);
		expect(Object.values(ENDS).every((ends) => ends.length === METHODS.length)).toBe(true);
	});

	test.each(COMBINATIONS.map((one) => [titleOf(one), endOf(one), one] as const))(
		'%s: %s',
		async (_, end, { method, answer: given, when }) => {
			if (end === 'form') {
				expect(buildFailure(await errorOf(method, given))).toMatchObject({
					code: 'burn.not-built'
				});
				return;
			}
			const refusal = await refusalOf(method, given);
			const acts = when === 'after';
			const once = new Walk(method, refusal, acts, 1);
			expect(once.run()).toBe('arrives');
			const walk = new Walk(method, refusal, acts, Infinity);
			const ended = walk.run();
			expect(ended).toBe(end === 'asks soon' ? 'asks' : end);
			if (ended === 'arrives') return;
			const { tried } = walk;
			const pauses = tried.slice(1).map((at, n) => at - tried[n]!);
			expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
			const { reason } = walk.migration.row;
			if (end === 'waits') {
				expect(pauses.at(-1)).toBeGreaterThan(4 * pauses[0]!);
			} else if (end === 'asks soon') {
				expect(tried).toHaveLength(3);
				expect(reason?.code).toBe('build.broken');
			} else {
				expect(tried).toHaveLength(19);
				expect(tried.at(-1)! - tried[0]!).toBeGreaterThan(30 * 60_000);
				expect(tried.at(-1)! - tried[0]!).toBeLessThan(2 * 3_600_000);
				expect(['refusal.lasting', 'burn.refused']).toContain(reason?.code);
			}
			walk.wrong = 0;
			if (end !== 'waits') walk.retry();
			expect(walk.run()).toBe('arrives');
		}
	);

	test.each(FINAL)('%s: %i %s is final', async (method, code, message) => {
		const refusal = await refusalOf(method, { name: message, kind: 'error', code, message });
		const walk = new Walk(method, refusal, false, Infinity);
		expect(walk.run()).toBe('asks');
		expect(walk.tried).toHaveLength(1);
	});
});
