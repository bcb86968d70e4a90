/**
 * One-time links: an invitation creates an account, a reset sets a new password. Each use case is in its own
 * file.
 */
import { bindTo } from '../../platform/bind.ts';
import type { ChangeKind } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import { accept, acceptWithoutPassword } from './links/accept.ts';
import type { LinkDependencies } from './links/dependencies.ts';
import { createInviting, invite } from './links/invite.ts';
import { invitationId, look } from './links/look.ts';
import { openInvitations, revoke } from './links/openInvitations.ts';
import { createResetting, reset } from './links/reset.ts';
import { setPassword } from './links/setPassword.ts';

export function createLinks(deps: LinkDependencies) {
	const { db, audit, bearer } = deps;
	const gate = createGate(db, audit);
	const inviting = createInviting(audit);
	const resetting = createResetting(audit);
	/** The kinds of links that can wait for approval. */
	const changes: readonly ChangeKind[] = [inviting, resetting];
	const making = bindTo({ gate, bearer, inviting, resetting });
	const bound = bindTo(deps);
	return {
		changes,
		invite: making(invite),
		reset: making(reset),
		look: bound(look),
		accept: bound(accept),
		invitationId: bound(invitationId),
		acceptWithoutPassword: bound(acceptWithoutPassword),
		setPassword: bound(setPassword),
		openInvitations: bound(openInvitations),
		revoke: bound(revoke)
	};
}

export type Links = ReturnType<typeof createLinks>;
