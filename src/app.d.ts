import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '#lib/server/access/audit/context.ts';
import type { RequestedRight } from '#lib/server/access/access-requests/rights.ts';
import type { Account, Identity } from '#lib/server/access/policy/identity.ts';
import type { App as Komodeck } from '#lib/server/app.ts';
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import type { FormReplay } from '#lib/server/platform/http/formReplay.ts';
import type { Labels } from '#lib/text/labels.ts';
import type { Crumb, CrumbNames } from '#lib/ui/trail.ts';
import type { Theme } from '#lib/ui/theme.ts';

declare global {
	namespace App {
		interface Locals {
			app: Komodeck;
			/** The signed-in person, or null for a visitor. */
			account: Account | null;
			identity: Identity;
			/** Made here. Stands in the answer's `x-request-id`, in log lines and in calls to daemons. */
			requestId: string;
			/** What the caller calls this request; for logs alone. */
			callerRequestId: string | null;
			theme: Theme;
			/** What the database refused while this request was answered; null while nothing. */
			databaseError: DatabaseErrorKind | null;
			/** What is known of the request while it is worked on; null before. */
			work: RequestContext | null;
			/** What a request that nothing went wrong with, but that came at the wrong moment, is answered instead of 500. */
			answerAs: number | null;
			/** The browser came by https. */
			secure: boolean;
		}
		interface Platform {
			/** Given by the adapter; the development server gives none. */
			req: IncomingMessage;
		}
		interface PageData {
			/** Labels of the address book for what the page shows. */
			labels?: Labels;
			/** What parameters of the address are called, for the way to the page. */
			crumbs?: CrumbNames;
			/** The way to the page. */
			trail?: Crumb[];
		}
		interface Error {
			message: string;
			/** Stable, for scripts. */
			code?: string;
			/** What is safe, and what to do next, where the message says only what happened. */
			safe?: string;
			next?: string;
			/** What to tell an admin, who finds it in the log. */
			requestId?: string;
			/** A form that was not carried out because nobody was logged in: it can be sent once more. */
			kept?: FormReplay;
			/** The right that the member lacks, to be asked for, and the page that needs it. */
			lacks?: { right: RequestedRight; path: string };
		}
	}
}

export {};
