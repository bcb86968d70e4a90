/** The notices that an event of the audit log causes. Events of other actions cause none. */
import type { NoticeMessage } from '#lib/messages/notices/catalogue.ts';
import type { AuditEvent } from '../audit/events.ts';
import type { Audience, NoticeEvent } from './noticeEvent.ts';

type Told = Pick<NoticeEvent, 'message' | 'path' | 'to'> & Pick<Partial<NoticeEvent>, 'except'>;

const ADMINS: Audience = { right: 'admin' };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const namesOf = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
/** @param right the right that the linked page requires; the member's role may have changed since */
const own = (name: string | null, right: Audience['right'] = 'read'): Audience[] =>
	name === null || name === '' ? [] : [{ members: [name], right }];
/** Encodes an id for use in a path. */
const id = (target: string | null): string => encodeURIComponent(target ?? '');

/** For events on a member's own account, caused by the member or an admin. */
const account =
	(of: (event: AuditEvent) => { message: NoticeMessage; member?: string | null; path?: string }) =>
	(event: AuditEvent): Told => {
		const { message, member = event.target ?? event.actor, path = '/account' } = of(event);
		return { message, path, to: own(member) };
	};

const newAdmin = ({ actor, target }: AuditEvent): Told => ({
	message: { code: 'admin.added', params: { name: target ?? '', by: actor } },
	path: '/admin/members',
	to: [ADMINS]
});

const WORK_PAGES: Readonly<Record<string, string>> = {
	migration: '/migrations/',
	review: '/transactions/',
	activation: '/kdf/tasks/'
};

/** Reasons of refusals that policies cause; not those by role, and not those of the safety controls. */
const POLICY_REASONS: readonly string[] = ['limit', 'token', 'wallet', 'signature', 'policy'];

const safety =
	(on: boolean) =>
	(event: AuditEvent): Told | null => {
		const { actor: by, target, detail } = event;
		if (target !== 'freeze' && target !== 'read-only') return null;
		const message: NoticeMessage = on
			? { code: `${target}.on`, params: { by, reason: textOf(detail['reason']) } }
			: { code: `${target}.off`, params: { by } };
		return { message, path: '/', to: [{ right: 'build' }], except: by };
	};

/** The author of an approval request. */
const asker = ({ detail }: AuditEvent): Audience[] =>
	own(textOf(detail['author']) || textOf(detail['requestedBy']));

/** Outcome of a change, for its author. */
const changeEnded =
	(of: (event: AuditEvent) => NoticeMessage) =>
	(event: AuditEvent): Told => ({
		message: of(event),
		path: `/approvals/changes/${id(event.target)}`,
		to: own(textOf(event.detail['author']), 'admin'),
		except: event.actor
	});

const undecided = ({ detail }: AuditEvent): NoticeMessage => ({
	code: 'change.ended',
	params: { change: textOf(detail['change']) }
});

const TOLD: Readonly<Record<string, (event: AuditEvent) => Told | null>> = {
	'approval.requested': ({ actor, target, detail }) => ({
		message: { code: 'approval.requested', params: { by: actor } },
		path: `/approvals/${id(target)}`,
		to: [{ members: namesOf(detail['approvers']), right: 'read' }],
		except: actor
	}),
	'approval.approved': (event) => ({
		message: { code: 'approval.approved', params: { by: event.actor } },
		path: `/approvals/${id(event.target)}`,
		to: asker(event),
		except: event.actor
	}),
	'approval.rejected': (event) => ({
		message: {
			code: 'approval.rejected',
			params: { by: event.actor, reason: textOf(event.detail['reason']) }
		},
		path: `/approvals/${id(event.target)}`,
		to: asker(event),
		except: event.actor
	}),
	'approval.expired': (event) => ({
		message: { code: 'approval.expired', params: {} },
		path: `/approvals/${id(event.target)}`,
		to: asker(event)
	}),
	'approval.voided': (event) => ({
		message: { code: 'approval.voided', params: {} },
		path: `/approvals/${id(event.target)}`,
		to: asker(event),
		except: event.actor
	}),
	'change.proposed': ({ actor, target, detail }) => ({
		message: { code: 'change.proposed', params: { by: actor, change: textOf(detail['change']) } },
		path: `/approvals/changes/${id(target)}`,
		to: [ADMINS],
		except: actor
	}),
	'change.carried-out': changeEnded(({ detail }) => ({
		code: 'change.done',
		params: { change: textOf(detail['change']) }
	})),
	'change.rejected': changeEnded(({ actor, detail }) => ({
		code: 'change.rejected',
		params: {
			by: actor,
			change: textOf(detail['change']),
			reason: textOf(detail['reason'])
		}
	})),
	'change.expired': changeEnded(undecided),
	'change.voided': changeEnded(undecided),
	'change.unapproved': ({ detail }) => ({
		message: { code: 'change.unapproved', params: { change: textOf(detail['change']) } },
		path: '/admin/audit?action=change.unapproved',
		to: [ADMINS]
	}),
	// Only for a batch that stopped without a member, who would know.
	'series.stopped': ({ actor, target, detail }) =>
		'why' in detail
			? {
					message: { code: 'batch.stopped', params: {} },
					path: `/chains/${encodeURIComponent(textOf(detail['chain']))}/token/${id(textOf(detail['tokenid']))}/batch-transfer/${id(target)}`,
					to: [...own(actor, 'build'), ...own(textOf(detail['holder']), 'build')]
				}
			: null,
	'policy.changed': ({ actor }) => ({
		message: { code: 'policy.changed', params: { by: actor } },
		path: '/admin/policies',
		to: [ADMINS],
		except: actor
	}),

	'access.requested': ({ actor, detail }) => ({
		message: {
			code: 'access.requested',
			params: { by: actor, right: textOf(detail['right']) }
		},
		path: '/admin/members',
		to: [ADMINS],
		except: actor
	}),
	'access.granted': ({ actor, target }) => ({
		message: { code: 'access.granted', params: { by: actor } },
		path: '/account/access',
		to: own(target)
	}),
	'access.dismissed': ({ actor, target }) => ({
		message: { code: 'access.dismissed', params: { by: actor } },
		path: '/account/access',
		to: own(target)
	}),
	'work.handed-over': ({ actor, target, detail }) => {
		const page = WORK_PAGES[textOf(detail['kind'])];
		return {
			message: { code: 'work.assigned', params: { by: actor } },
			path: page === undefined ? '/account#work' : `${page}${id(target)}`,
			to: own(textOf(detail['to'])),
			except: actor
		};
	},
	'migration.published': ({ actor, detail }) => ({
		message: { code: 'migration.published', params: {} },
		path: `/notary-approvals/${id(textOf(detail['txid']))}`,
		to: [{ right: 'notary' }],
		except: actor
	}),

	'node.stopped': ({ target }) => ({
		message: { code: 'node.stopped', params: { node: target ?? '' } },
		path: '/kdf',
		to: [ADMINS]
	}),
	'webhook.disabled': ({ actor, detail }) =>
		actor === 'engine'
			? {
					message: { code: 'webhook.disabled', params: { server: textOf(detail['server']) } },
					path: '/admin/notifications',
					to: [ADMINS]
				}
			: null,

	'switch.thrown': safety(true),
	'switch.lifted': safety(false),
	'call.refused': ({ actor, target, place, detail }) => {
		const why = textOf(detail['why']);
		if (!POLICY_REASONS.includes(why)) return null;
		return {
			message: {
				code: 'call.refused',
				params: { by: actor, what: target ?? '', place: place ?? '', why }
			},
			path: '/',
			to: detail['via'] === 'token' ? [ADMINS, ...own(actor)] : [ADMINS],
			...(detail['via'] === 'token' ? {} : { except: actor })
		};
	},

	'account.added': (event) => (event.detail['role'] === 'admin' ? newAdmin(event) : null),
	'account.role-changed': (event) => (event.detail['to'] === 'admin' ? newAdmin(event) : null),

	'factor.added': account(({ actor }) => ({
		message: { code: 'factor.added', params: { by: actor } }
	})),
	'factor.removed': account(({ actor }) => ({
		message: { code: 'factor.removed', params: { by: actor } }
	})),
	'factor.reset': account(({ actor }) => ({
		message: { code: 'factor.removed', params: { by: actor } }
	})),
	'recovery-code.used': account(({ actor }) => ({
		message: { code: 'recovery-code.used', params: {} },
		member: actor
	})),
	'password.changed': account(() => ({ message: { code: 'password.changed', params: {} } })),
	'password.reset': account(() => ({ message: { code: 'password.reset', params: {} } })),
	'token.created': account(({ actor, detail }) => ({
		message: { code: 'token.created', params: {} },
		member: textOf(detail['account']) || actor,
		path: '/account#tokens'
	})),
	'token.replaced': account(({ actor }) => ({
		message: { code: 'token.replaced', params: {} },
		member: actor,
		path: '/account#tokens'
	})),
	// Also sent for the first identity, which is linked when the account is created and by which the member
	// logs in.
	'identity.linked': account(() => ({
		message: { code: 'identity.linked', params: {} },
		path: '/account#sign-on'
	})),
	'identity.unlinked': account(() => ({
		message: { code: 'identity.unlinked', params: {} },
		path: '/account#sign-on'
	})),
	'notices.email-set': account(({ actor }) => ({
		message: { code: 'email.changed', params: {} },
		member: actor,
		path: '/account/notifications'
	})),
	'sign-in': ({ actor, detail }) =>
		detail['browser'] === 'new'
			? {
					message: {
						code: 'sign-in.new-browser',
						params: { address: textOf(detail['address']) }
					},
					path: '/account#sessions',
					to: own(actor)
				}
			: null
};

/** Returns the notice that an event causes; null: none. */
export function auditNotice(event: AuditEvent): NoticeEvent | null {
	const told = Object.hasOwn(TOLD, event.action) ? TOLD[event.action]!(event) : null;
	return told === null ? null : { source: `audit:${event.seq}`, at: event.time, ...told };
}
