/**
 * Change stamps for what surrounds every page (status, counts of open work): a different text means that open
 * pages are outdated.
 */
import type { AccessRequests } from '../../access/access-requests/accessRequests.ts';
import type { Approvals } from '../../access/approvals/approvals.ts';
import type { Proposals } from '../../access/proposals/proposals.ts';
import type { SafetyControls } from '../../access/policy/safety-controls/safetyControls.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { WaitingReader } from '../../cross-chain/open-work/waiting.ts';

export interface Frame {
	/** Safety controls and the states of daemons, which every page shows. */
	everyone: string;
	/** Open work of members. */
	team: string;
}

interface FrameParts {
	gateway: Pick<Gateway, 'daemons'>;
	safetyControls: Pick<SafetyControls, 'shownStamp'>;
	waiting: Pick<WaitingReader, 'shownStamp'>;
	accessRequests: Pick<AccessRequests, 'shownStamp'>;
	approvals: Pick<Approvals, 'shownStamp'>;
	proposals: Pick<Proposals, 'shownStamp'>;
}

/** Returns the states of the daemons, which this process knows without the database, as a text. */
export const daemonStates = (gateway: Pick<Gateway, 'daemons'>): string =>
	JSON.stringify(gateway.daemons().map(({ id, health }) => [id, health.state]));

/**
 * Creates the reader of the stamps. While the database is unavailable, they reflect what pages show in that
 * case.
 */
export function createFrameReader(parts: FrameParts): () => Promise<Frame> {
	const { gateway, safetyControls, waiting, accessRequests, approvals, proposals } = parts;
	return async () => {
		const [controls, work, requests, asked, proposed] = await Promise.all([
			safetyControls.shownStamp(),
			waiting.shownStamp(),
			accessRequests.shownStamp(),
			approvals.shownStamp(),
			proposals.shownStamp()
		]);
		return {
			everyone: JSON.stringify([controls, daemonStates(gateway)]),
			team: JSON.stringify([work, requests, asked, proposed])
		};
	};
}
