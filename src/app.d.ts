import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '#lib/server/access/audit/context.ts';
import type { RequestedRight } from '#lib/server/access/access-requests/rights.ts';
import type { Account, Identity } from '#lib/server/access/identity/identity.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import type { FormReplay } from '#lib/server/platform/http/formReplay.ts';
import type { Question } from '#lib/text/irreversible.ts';
import type { Labels } from '#lib/text/labels.ts';
import type { Crumb, CrumbNames } from '#lib/ui/layout/trail.ts';
import type { Theme } from '#lib/ui/frame/theme.ts';

declare global {
	namespace App {
		interface Locals {
			app: Komodeck;
			/** The signed-in account; null for an anonymous visitor. */
			account: Account | null;
			identity: Identity;
			/** Generated here. Used in the `x-request-id` header, in log lines and in calls to daemons. */
			requestId: string;
			/** The caller's own id of this request; for logs only. */
			callerRequestId: string | null;
			theme: Theme;
			/** Kind of database error that occurred during this request; null if none. */
			databaseError: DatabaseErrorKind | null;
			/** Context of the request while it is handled; null before. */
			work: RequestContext | null;
			/** What a request that nothing went wrong with, but that came at the wrong moment, is answered instead of 500. */
			answerAs: number | null;
			/** The browser came by https. */
			secure: boolean;
		}
		interface Platform {
			/** Set by the adapter; absent in the development server. */
			req: IncomingMessage;
		}
		interface PageData {
			/** Address book labels for the contents of the page. */
			labels?: Labels;
			/** Names of URL parameters, for the breadcrumbs. */
			crumbs?: CrumbNames;
			/** The way to the page. */
			trail?: Crumb[];
		}
		interface Error {
			message: string;
			/** Stable code, for scripts. */
			code?: string;
			/** What is safe and what to do next, where the message only says what happened. */
			safe?: string;
			next?: string;
			/** Id to quote to an admin, who finds it in the log. */
			requestId?: string;
			/** A form that was not executed because the session had ended; it can be submitted again. */
			kept?: FormReplay;
			/** The right that the member lacks and can request, and the page that needs it. */
			lacks?: { right: RequestedRight; path: string };
			/** What the form does that cannot be undone, and that it does not say is meant. */
			question?: Question;
		}
	}
}

export {};
