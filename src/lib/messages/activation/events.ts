/** Events in the history of an activation, without a full stop, because each is shown next to its time. */
import { z } from 'zod';
import { duration } from '#lib/text/duration.ts';
import { plural } from '#lib/text/plural.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const actor = z.string();
const attempt = z.int();
const task = z.int();

const EVENTS = {
	...STORED,
	begun: entry({ actor }, ({ actor }) => `Started by ${actor}`),
	joined: entry({ actor }, ({ actor }) => `${actor} requested the same and joined`),
	'servers.answered': entry(
		{ online: z.int(), all: z.int() },
		({ online, all }) => `${online} of ${plural(all, 'server')} answered`
	),
	'attempt.begun': entry({ attempt }, ({ attempt }) => `Attempt ${attempt} started`),
	'attempt.failed': entry(
		{ attempt, seconds: z.int() },
		({ attempt, seconds }) => `Attempt ${attempt} failed; retrying in ${duration(seconds)}`
	),
	'attempt.last-failed': entry(
		{ attempt },
		({ attempt }) => `Failed after attempt ${attempt}, the last one`
	),
	failed: entry({}, () => 'Failed'),
	active: entry({}, () => 'Activated'),
	'active.before': entry({}, () => 'It was active already'),
	'active.all-the-same': entry({}, () => 'It became active before it was canceled'),
	'active.read-elsewhere': entry({}, () => 'Activated; the task was read elsewhere'),
	'task.begun': entry({ task }, ({ task }) => `In progress on the trading node as task ${task}`),
	'task.other-coin': entry({ task }, ({ task }) => `Task ${task} now belongs to another coin`),
	'task.unknown': entry(
		{ task },
		({ task }) => `The trading node does not know task ${task} any more`
	),
	'task.ended': entry({}, () => 'Task canceled'),
	'task.finished-before': entry({}, () => 'Task finished before it could be canceled'),
	'task.lost': entry(
		{ task },
		({ task }) => `The trading node was restarted, so task ${task} is void`
	),
	'ended.before': entry({}, () => 'Canceled before the trading node was asked'),
	'ended.unsure': entry({}, () => 'Canceled; the trading node may have acted all the same'),
	'device.asked': entry({}, () => 'Waiting for PIN'),
	'end.asked': entry({ actor }, ({ actor }) => `${actor} canceled the task`),
	'end.refused': entry({}, () => 'The trading node refused to cancel the task, so it continues'),
	'retry.asked': entry({ actor }, ({ actor }) => `${actor} retried now`),
	'pad.taken': entry({ actor }, ({ actor }) => `${actor} opened PIN entry`),
	/** `count`: answers that this task has received. */
	'pad.answered': entry(
		{ actor, count: z.int() },
		({ actor, count }) => `PIN entered by ${actor} (${count})`
	)
} as const;

/** An event of an activation as it is stored. */
export type ActivationEvent = MessageOf<typeof EVENTS>;

export const activationEvents = catalogueOf(EVENTS);
