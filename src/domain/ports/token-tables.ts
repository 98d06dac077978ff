/** What a token of GitHub is for: git, or the REST API. Which permissions that gives, the node's roles decide. */
export type TokenPurpose = "git" | "api";

/** A token of GitHub that a node without the App's key asks for: for one repository. */
export interface TokenRequestRow {
  readonly id: number;
  readonly node: string;
  /** The life of the node that asks, whose key the answer is sealed to. */
  readonly epoch: number;
  readonly purpose: TokenPurpose;
  readonly repositoryId: number;
  readonly askedAt: number;
  /** The answer, which only that life of the node can open. */
  readonly sealed: string | null;
  /** Why there is no token. */
  readonly refusal: string | null;
}

/** Requests for tokens, from nodes without the App's key to those that have it. */
export interface TokenRequestTable {
  /** Returns the request's id. */
  add(
    request: Pick<TokenRequestRow, "node" | "epoch" | "purpose" | "repositoryId" | "askedAt">,
  ): Promise<number>;
  /** Returns the unanswered requests, oldest first, at most `limit`; without those whose purpose this version does not know. */
  open(limit: number): Promise<readonly TokenRequestRow[]>;
  /** Answers a request that nobody has answered yet. */
  answer(id: number, answer: { readonly sealed: string } | { readonly refusal: string }): Promise<void>;
  /** Returns the request; undefined where it was dropped. */
  get(id: number): Promise<TokenRequestRow | undefined>;
  drop(id: number): Promise<void>;
  /** Drops the requests that were not asked in this time: nobody waits for them. */
  dropOutside(from: number, to: number): Promise<void>;
}

/** Who the App is on GitHub. */
export interface AppIdentity {
  readonly appId: number;
  readonly slug: string;
  readonly botLogin: string;
  readonly botId: number;
}

/** Keeps who the App is, for nodes that cannot ask GitHub. */
export interface AppIdentityTable {
  get(appId: number): Promise<AppIdentity | undefined>;
  /** Returns the ids of all Apps that are kept, in order. */
  ids(): Promise<readonly number[]>;
  put(identity: AppIdentity): Promise<void>;
}
