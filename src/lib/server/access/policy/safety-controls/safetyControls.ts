/**
 * Safety controls stop the whole team at once: `freeze` prevents all sends to a chain and all signatures,
 * `read-only` also prevents building and every change at a daemon. They are checked where calls leave the
 * console, so that no page, script or worker bypasses them.
 */
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { changesNothing, type Stoppable } from '#lib/rpc/method.ts';
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createRowCache } from '../../../platform/database/rowCache.ts';
import { createShown } from '../../../platform/database/shown.ts';
import { databaseErrorKind } from '../../../platform/database/databaseError.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../changes/change.ts';
import { createGate } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import { refuseFormerAdmin } from '../../identity/formerAdmin.ts';
import type { Account } from '../../identity/identity.ts';
import type { SafetyControlName } from './names.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

/** A safety control that is on. */
export interface ActiveControl {
	reason: string;
	/** Name of the account. */
	by: string;
	/** Unix milliseconds. */
	since: number;
}

/** Which safety controls are on. */
export type SafetyStatus = Readonly<Record<SafetyControlName, ActiveControl | null>>;

export const MOST_REASON = 300;

/**
 * A safety control that is on, as one text; turning it on again by another account or for another reason
 * gives a different text.
 */
export const activeControlText = ({ since, by, reason }: ActiveControl): string =>
	JSON.stringify([since, by, reason]);

interface TurnOffParams {
	control: SafetyControlName;
	/** The control as the page showed it, as {@link activeControlText}. */
	seen?: string;
}

type Stopped = AppError<CodesOf<'safety'>>;

export interface SafetyControls {
	status(): Promise<SafetyStatus>;
	/** For display: the status last read from the database, and the error that prevents reading it now. */
	shown(): Promise<{ status: SafetyStatus; databaseError: DatabaseErrorKind | null }>;
	/** A text that differs after each change of the displayed status. */
	shownStamp(): Promise<string>;
	/** Why a call of such a method must not be sent now; null when it may. */
	refusal(method: Stoppable): Promise<Stopped | null>;
	/**
	 * Turns a control on, or changes its reason. It applies from the next call on, on every server.
	 * @param by an admin; only a name where no account acts
	 * @throws {AppError} `account.not-admin`
	 */
	turnOn(name: SafetyControlName, reason: string, by: Account | string): Promise<void>;
	/**
	 * Turns a control off, or proposes it where that needs approval; false when it was off.
	 * @param seen {@link activeControlText} of what the page showed; left out: do not compare
	 * @throws {AppError} `change.not-as-shown`: it was turned on again or changed since
	 */
	turnOff(
		name: SafetyControlName,
		by: Account | null,
		seen?: string
	): Promise<ChangeOutcome<boolean>>;
	/** The changes of safety controls that can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

function refusalOf(status: SafetyStatus, { access, signs }: Stoppable): Stopped | null {
	const { freeze, 'read-only': readOnly } = status;
	const said = ({ by, reason }: ActiveControl) => ({ by, reason });
	if (readOnly && !changesNothing(access)) {
		return new AppError('safety.read-only', said(readOnly));
	}
	if (freeze && access === 'broadcast') return new AppError('safety.sends-frozen', said(freeze));
	if (freeze && signs) return new AppError('safety.signatures-frozen', said(freeze));
	return null;
}

export function createSafetyControls(db: Database<AccessTables>, audit: Audit): SafetyControls {
	const kept = createRowCache<SafetyStatus>(db.changeStamp);

	async function read(within: Executor<AccessTables> = db): Promise<SafetyStatus> {
		const rows = await within.selectFrom('safety_controls').selectAll().execute();
		const of = (name: SafetyControlName): ActiveControl | null => {
			const row = rows.find((one) => one.name === name);
			return row ? { reason: row.reason, by: row.thrown_by, since: Number(row.since) } : null;
		};
		return { freeze: of('freeze'), 'read-only': of('read-only') };
	}
	const status = async (): Promise<SafetyStatus> =>
		(await kept.get('status', () => read())) ?? read();

	/** Refuses when the control was turned on again, or for another reason, since the page was rendered. */
	function refuseOther(thrown: ActiveControl | null, { seen }: TurnOffParams): void {
		if (thrown === null || seen === undefined || activeControlText(thrown) === seen) return;
		throw new AppError('change.not-as-shown');
	}

	const gate = createGate(db, audit);
	/** Turns a safety control off; false when it was off. */
	const turningOff: ChangeKind<'safety.off', TurnOffParams, boolean> = {
		code: 'safety.off',
		async look(trx, params) {
			const { control } = params;
			const thrown = (await read(trx))[control];
			refuseOther(thrown, params);
			return {
				waits: thrown !== null,
				state: JSON.stringify(thrown),
				facts: { control, by: thrown?.by ?? '', reason: thrown?.reason ?? '' }
			};
		},
		async apply(trx, by, params) {
			const { control } = params;
			await audit.lock(trx);
			refuseOther((await read(trx))[control], params);
			const { numDeletedRows } = await trx
				.deleteFrom('safety_controls')
				.where('name', '=', control)
				.executeTakeFirst();
			if (numDeletedRows === 0n) return false;
			touch(trx, 'safety_controls', [control]);
			const actor = actorOf(by);
			await audit.append({ actor, action: 'switch.lifted', target: control }, trx);
			return true;
		}
	};

	let last: SafetyStatus = { freeze: null, 'read-only': null };
	async function look() {
		try {
			last = await status();
			return { status: last, databaseError: null };
		} catch (error) {
			const databaseError = databaseErrorKind(error);
			if (databaseError === null) throw error;
			return { status: last, databaseError };
		}
	}
	const { now: shown, stamp: shownStamp } = createShown(look, ({ status: of }) =>
		JSON.stringify(of)
	);

	return {
		status,
		shown,
		shownStamp,
		async refusal(method) {
			return changesNothing(method.access) ? null : refusalOf(await status(), method);
		},
		async turnOn(name, reason, by) {
			const text = reason.trim().slice(0, MOST_REASON);
			const admin = typeof by === 'string' ? null : by;
			const actor = typeof by === 'string' ? by : by.name;
			await db.transaction().execute(async (trx) => {
				await audit.lock(trx);
				await refuseFormerAdmin(trx, admin);
				await trx
					.insertInto('safety_controls')
					.values({ name, reason: text, thrown_by: actor, since: Date.now() })
					.onConflict((conflict) =>
						conflict.column('name').doUpdateSet({ reason: text, thrown_by: actor })
					)
					.execute();
				touch(trx, 'safety_controls', [name]);
				await audit.append(
					{ actor, action: 'switch.thrown', target: name, detail: { reason: text } },
					trx
				);
			});
		},
		changes: [turningOff],
		turnOff: (name, by, seen) =>
			gate.applyOrPropose(
				by,
				turningOff,
				seen === undefined ? { control: name } : { control: name, seen }
			)
	};
}
