/** A migration as a list of steps for pages: who acts, what is done, what it waits for. */
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { rangeMessage, tookMessage } from '#lib/messages/migration/estimate.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import {
	FACT_LABELS,
	FACT_VALUES,
	STEP_ACTORS,
	STEP_TITLES,
	STEPS_AHEAD
} from '#lib/messages/migration/steps.ts';
import type { Step } from '#lib/text/steps.ts';
import { stepEstimate, type Paces } from './decisions/arrivalEstimate.ts';
import { currentStep } from './decisions/currentStep.ts';
import { hasArrived, STATES } from './states.ts';
import { stepsOf, type StepRule } from './steps.ts';
import type { Evidence } from './evidence.ts';
import type { MigrationRecord, MigrationRow, StepRow } from './migrationRecord.ts';

function chainOf(
	rule: StepRule,
	{ source, destination }: Pick<MigrationRow, 'source' | 'destination'>
): string {
	if (rule.where === 'kmd') return MAIN_CHAIN;
	return rule.where === 'source' ? source : destination;
}

function actorOf(rule: StepRule, row: MigrationRow): string {
	if (rule.id === 'import-sent' && row.policy === 'ask') return STEP_ACTORS.approves();
	if (rule.id === 'import-sent' && row.policy === 'ask-two') return STEP_ACTORS['two-approve']();
	if (rule.actor === 'person') return STEP_ACTORS.confirms();
	return STEP_ACTORS[rule.actor](chainOf(rule, row));
}

/** Evidence of a step, with members absent that its kind does not have. */
const factsOf = ({
	evidence
}: StepRow): Partial<Evidence<'burn-confirmed'> & Evidence<'completion'> & Evidence<'approvals'>> =>
	evidence;

/** @param isDone whether the step is completed: otherwise its block was removed by a reorganization and is not shown */
function evidenceOf(
	rule: StepRule,
	step: StepRow | undefined,
	row: MigrationRow,
	isDone: boolean
): Step['evidence'] {
	if (!step) return [];
	const list: NonNullable<Step['evidence']> = [];
	const chain = encodeURIComponent(chainOf(rule, row));
	const { height, blockhash, notarization, root, offset, counted } = factsOf(step);
	const mined = rule.id === 'import-confirmed';
	// Built, but not sent yet, so it is on no chain.
	const built = ['compose', 'convert', 'fund', 'completion', 'import-built'].includes(rule.id);
	if (step.txid !== null && !built) {
		const href = step.doneAt === null ? undefined : `/chains/${chain}/tx/${step.txid}`;
		const item = { label: FACT_LABELS.transaction, value: step.txid, id: true };
		list.push(href === undefined ? item : { ...item, href });
	}
	if (isDone && typeof height === 'number' && (mined || typeof blockhash === 'string')) {
		list.push({
			label: FACT_LABELS.block,
			value: String(height),
			href: `/chains/${chain}/block/${height}`
		});
		const proven = mined ? step.txid : row.burn_txid;
		if (proven !== null) {
			list.push({
				label: FACT_LABELS.proof,
				value: FACT_VALUES.proof,
				href: `/chains/${chain}/proof/${proven}`
			});
		}
	}
	if (typeof notarization === 'string') {
		list.push({
			label: FACT_LABELS.notarization,
			value: notarization,
			href: `/chains/${MAIN_CHAIN}/tx/${notarization}`,
			id: true
		});
	}
	if (typeof root === 'string') {
		const label = FACT_LABELS[rule.id === 'import-built' ? 'mom' : 'momom'];
		list.push({ label, value: root, id: true });
	}
	if (rule.id === 'approvals' && typeof counted === 'number') {
		const href = `/notary-approvals/${row.burn_txid ?? ''}`;
		const value = FACT_VALUES.approvals(counted, APPROVALS_NEEDED);
		list.push({ label: FACT_LABELS.approvals, value, href });
	}
	if (typeof offset === 'number') list.push({ label: FACT_LABELS.offset, value: String(offset) });
	return list;
}

function stateOf({ row, done, now }: { row: MigrationRow; done: boolean; now: boolean }) {
	if (done) return 'done';
	if (row.state === 'discarded') return 'skipped';
	if (!now) return 'later';
	return row.state === 'stuck' ? 'failed' : 'now';
}

/** Returns the seconds that a completed step took, from the end of the previous one; null when unknown. */
function tookOf(
	steps: MigrationRecord['steps'],
	rule: StepRule,
	before: StepRule | undefined
): number | null {
	const ended = steps.get(rule.id)?.doneAt ?? null;
	const previous = before && steps.get(before.id);
	const began = previous?.doneAt ?? previous?.startedAt ?? null;
	return ended === null || began === null ? null : Math.max(0, ended - began) / 1_000;
}

/**
 * Returns the steps of a migration, including future ones.
 *
 * @param paces usual intervals on the chains, for estimates of the future steps
 */
export function timeline(migration: MigrationRecord, paces: Paces | null = null): Step[] {
	const { row, steps } = migration;
	const current = currentStep(migration);
	const route = stepsOf(row.path);
	const at = route.findIndex(({ id }) => id === current);
	const isUnknown = !STATES.includes(row.state);
	return route.map((rule, i) => {
		const step = steps.get(rule.id);
		// When this release does not know the state, the steps themselves tell.
		const isBehind = isUnknown ? typeof step?.doneAt === 'number' : i < at;
		const done = hasArrived(row.state) || isBehind;
		const now = i === at;
		const skipped = row.state === 'discarded';
		const moment = done ? (step?.doneAt ?? null) : now ? Number(row.state_since) : null;
		const shown: Step = {
			id: rule.id,
			title: STEP_TITLES[rule.id](row),
			state: stateOf({ row, done, now }),
			actor: actorOf(rule, row),
			chain: chainOf(rule, row)
		};
		if (now && row.reason !== null) shown.detail = reasons.text(row.reason);
		else if (!done && !skipped) shown.detail = STEPS_AHEAD[rule.id].detail;
		const took = done ? tookOf(steps, rule, route[i - 1]) : null;
		if (took !== null && rule.actor !== 'person') shown.takes = tookMessage(took);
		if (!done && !skipped) {
			const usual = paces && stepEstimate(rule.id, paces);
			shown.takes = usual ? `usually ${rangeMessage(usual)}` : STEPS_AHEAD[rule.id].takes;
		}
		if (moment !== null) shown.at = moment;
		const evidence = evidenceOf(rule, step, row, done);
		if (evidence && evidence.length > 0) shown.evidence = evidence;
		return shown;
	});
}
