import { COIN_STATES, PASSIVE_COIN, TASK_STATES } from '#lib/messages/pages/kdf.ts';
import type { Badge } from '#lib/text/badge.ts';
import type { ListedState } from '#lib/server/kdf/coins/search.ts';
import type { ActivationState } from '#lib/server/kdf/activation/states.ts';

/** Badges for the states of a coin in the list. */
export const COIN_MARKS: Readonly<Record<ListedState, Badge>> = {
	active: { state: 'good', word: COIN_STATES.active },
	'under-way': { state: 'wait', word: COIN_STATES['under-way'] },
	failed: { state: 'bad', word: COIN_STATES.failed },
	inactive: { state: 'unknown', word: COIN_STATES.inactive },
	passive: { state: 'unknown', word: PASSIVE_COIN }
};

/** Badges for the states of an activation. */
export const TASK_MARKS: Readonly<Record<ActivationState, Badge>> = {
	probing: { state: 'wait', word: TASK_STATES.probing },
	starting: { state: 'wait', word: TASK_STATES.starting },
	running: { state: 'wait', word: TASK_STATES.running },
	action: { state: 'wait', word: TASK_STATES.action },
	waiting: { state: 'wait', word: TASK_STATES.waiting },
	active: { state: 'good', word: TASK_STATES.active },
	failed: { state: 'bad', word: TASK_STATES.failed },
	cancelled: { state: 'unknown', word: TASK_STATES.cancelled },
	void: { state: 'bad', word: TASK_STATES.void }
};
