/**
 * PINs of hardware wallets: positions on the display of the device, entered by the one member who holds the pad.
 * A PIN goes from the request to the node and nowhere else: it is in no row, event, log line, error or response.
 */
import type { KdfParams } from '#lib/rpc/kdf/index.ts';
import type { ActivationRow } from './activationRow.ts';
import { judgedPort, type JudgeCall, type KdfPort } from '../calls/kdfPort.ts';
import { familyOf, taskMethod } from '../coins/methods.ts';
import type { MemberChanges } from './memberChanges.ts';
import { actionSeconds } from './states.ts';
import type { ActivationStore } from './store.ts';
import { notTaken } from '../calls/taskFailure.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

/** How long a member keeps the pad without using it, milliseconds. */
export const HOLD_MS = 90_000;
/** Positions that form a PIN: the device accepts up to 50 digits (Trezor firmware). */
const PIN = /^[1-9]{1,50}$/;

type ActionKind = 'pin' | 'passphrase';

/** Returns what the device asks for. An unknown step counts as a request for the PIN. */
const actionKind = (row: ActivationRow): ActionKind =>
	row.step === '"EnterHardwarePassphrase"' ? 'passphrase' : 'pin';

/** What every member may see of the pad. */
interface Pad {
	kind: ActionKind;
	/** Who holds it; null when it is free. */
	holder: string | null;
	/** When the node stops waiting for the device, Unix milliseconds. */
	until: number;
	/** Number of answers that this task was given. */
	given: number;
	/** Number of PINs in a row that the device refused. */
	wrong: number;
}

/** Returns who holds the pad now; null when it is free. */
export const holderOf = (
	row: Pick<ActivationRow, 'pin_holder' | 'pin_holder_until'>,
	now: number
): string | null =>
	row.pin_holder_until !== null && Number(row.pin_holder_until) > now ? row.pin_holder : null;

/** Returns the pad of an activation whose device waits for input; null for all others. */
export function padOf(row: ActivationRow, now: number): Pad | null {
	if (row.state !== 'action' || row.action_since === null) return null;
	return {
		kind: actionKind(row),
		holder: holderOf(row, now),
		until: Number(row.action_since) + actionSeconds(row.method) * 1_000,
		given: Number(row.pins),
		wrong: Number(row.wrong_pins)
	};
}

export interface Pads {
	/** Takes the pad. @throws {AppError} `activation.pad-held`, `activation.pad-closed` */
	take(id: string, person: string): Promise<void>;
	letGo(id: string, person: string): Promise<void>;
	/**
	 * Sends the answer to the node.
	 * @param asked what the member was asked for: a PIN that is sent as a passphrase would open another wallet
	 * @param judge decides about the call right before it is sent
	 * @throws {AppError} `activation`, which contains nothing of the answer
	 */
	answer(
		id: string,
		person: string,
		asked: string,
		secret: string,
		judge: JudgeCall
	): Promise<void>;
}

export function createPads(store: ActivationStore, changes: MemberChanges, nodes: KdfPort): Pads {
	async function asking(id: string): Promise<ActivationRow> {
		const row = await store.get(id);
		if (row?.state !== 'action') throw new AppError('activation.pad-closed');
		return row;
	}

	return {
		async take(id, person) {
			const row = await asking(id);
			if (await changes.hold(id, person, HOLD_MS, row.pin_holder === person)) return;
			const now = await asking(id);
			throw new AppError('activation.pad-held', { by: now.pin_holder });
		},

		letGo: (id, person) => changes.letGo(id, person),

		async answer(id, person, asked, secret, judge) {
			const row = await asking(id);
			const kind = actionKind(row);
			if (kind !== asked) throw new AppError('activation.pad-closed');
			if (kind === 'pin' && !PIN.test(secret)) {
				throw new AppError('activation.pin-invalid');
			}
			if (padOf(row, store.now)?.holder !== person) {
				throw new AppError('activation.pad-not-held');
			}
			if ((await changes.countPin(id, person)) === null) {
				throw new AppError('activation.pad-not-held');
			}
			const family = familyOf(row.method);
			if (family === null || row.task_id === null) throw new AppError('activation.pad-closed');
			const action =
				kind === 'pin'
					? { action_type: 'HardwarePin' as const, pin: secret }
					: { action_type: 'HardwarePassphrase' as const, passphrase: secret };
			try {
				const method = taskMethod(family, 'user_action') as 'task::enable_utxo::user_action';
				const params: KdfParams<typeof method> = {
					task_id: Number(row.task_id),
					user_action: action
				};
				await judgedPort(nodes, judge).call(row.node, method, params);
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				// Without the original error as its cause: the node's text may repeat the answer.
				const { why, control = null } = notTaken(error.params.failure);
				throw new AppError('activation.answer-not-taken', { node: row.node, why, control });
			} finally {
				await store.wake(id);
			}
		}
	};
}
