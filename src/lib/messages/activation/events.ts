/** What happened to an activation, each without an end, since its time stands beside it. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const actor = z.string();
const attempt = z.int();
const task = z.int();

const EVENTS = {
	...STORED,
	begun: entry({ actor }, ({ actor }) => `${actor} began it`),
	joined: entry({ actor }, ({ actor }) => `${actor} asked for the same and joined`),
	'servers.answered': entry(
		{ online: z.int(), all: z.int() },
		({ online, all }) => `${online} of ${all} ${all === 1 ? 'server' : 'servers'} answered`
	),
	'attempt.begun': entry({ attempt }, ({ attempt }) => `Try ${attempt} begins`),
	'attempt.failed': entry(
		{ attempt, seconds: z.int() },
		({ attempt, seconds }) => `Try ${attempt} failed; the next one is in ${seconds} seconds`
	),
	'attempt.last-failed': entry(
		{ attempt },
		({ attempt }) => `It failed: try ${attempt} was the last one`
	),
	failed: entry({}, () => 'It failed'),
	active: entry({}, () => 'It is active'),
	'active.before': entry({}, () => 'It was active already'),
	'active.read-elsewhere': entry({}, () => 'It is active; its task was read elsewhere'),
	'task.begun': entry({ task }, ({ task }) => `The node works on it as task ${task}`),
	'task.other-coin': entry({ task }, ({ task }) => `Task ${task} is another coin's now`),
	'task.unknown': entry({ task }, ({ task }) => `The node does not know task ${task} any more`),
	'task.ended': entry({}, () => 'The task was ended'),
	'task.finished-before': entry({}, () => 'The task had finished before it could be ended'),
	'task.lost': entry({ task }, ({ task }) => `The node was restarted, so task ${task} is void`),
	'ended.before': entry({}, () => 'It was ended before the node was asked'),
	'device.asked': entry({}, () => 'Waiting for PIN'),
	'end.asked': entry({ actor }, ({ actor }) => `${actor} asked to end it`),
	'retry.asked': entry({ actor }, ({ actor }) => `${actor} asked to try now`),
	'pad.taken': entry({ actor }, ({ actor }) => `${actor} took the pad`),
	/** `count`: answers that this task was given. */
	'pad.answered': entry(
		{ actor, count: z.int() },
		({ actor, count }) => `${actor} answered the device (${count})`
	)
} as const;

/** What happened to an activation, as it is stored. */
export type ActivationEvent = MessageOf<typeof EVENTS>;

export const activationEvents = catalogueOf(EVENTS);
