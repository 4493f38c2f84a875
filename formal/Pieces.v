(** * Theorem A: a network of widths m_1, ..., m_L is piecewise affine with at most
    (m_1 + 1) ... (m_L + 1) pieces on every interval [a, b] *)

From Coq Require Import Reals List Lra Lia Psatz.
From DepthSep Require Import Network.
Import ListNotations.
Open Scope R_scope.

(** [tiled good k a b]: k closed intervals with common ends tile [a, b], and each of
    them is [good].  An interval may be a single point, so k is an upper bound for the
    number of pieces that are needed. *)
Inductive tiled (good : R -> R -> Prop) : nat -> R -> R -> Prop :=
| tiled_one : forall a b, good a b -> tiled good 1 a b
| tiled_split : forall j k a c b, a <= c <= b ->
    tiled good j a c -> tiled good k c b -> tiled good (j + k) a b.

(** A function that is affine on the closed interval [a, b]. *)
Definition affine_on (g : R -> R) (a b : R) : Prop :=
  exists s t, forall x, a <= x <= b -> g x = s * x + t.

(** [g] is affine on each of k closed intervals that tile [a, b]. *)
Definition affine_pieces (k : nat) (g : R -> R) : R -> R -> Prop :=
  tiled (affine_on g) k.

(** The most pieces that networks of given widths have. *)
Fixpoint most_pieces (ms : list nat) : nat :=
  match ms with
  | [] => 1
  | m :: rest => (m + 1) * most_pieces rest
  end.

Lemma most_pieces_pos ms : (0 < most_pieces ms)%nat.
Proof. induction ms; simpl; nia. Qed.

(** ** Lines: pairs (slope, intercept) *)

Definition line_at (l : R * R) (x : R) : R := fst l * x + snd l.

Definition one_sign (l : R * R) (a b : R) : Prop :=
  (0 <= line_at l a /\ 0 <= line_at l b) \/ (line_at l a <= 0 /\ line_at l b <= 0).

Lemma line_between l a b x : a <= x <= b ->
  (0 <= line_at l a -> 0 <= line_at l b -> 0 <= line_at l x) /\
  (line_at l a <= 0 -> line_at l b <= 0 -> line_at l x <= 0).
Proof.
  unfold line_at; intros; destruct (Rle_lt_dec 0 (fst l)); split; intros; nra.
Qed.

Lemma one_sign_dec l a b : one_sign l a b \/
  (line_at l a < 0 /\ 0 < line_at l b) \/ (0 < line_at l a /\ line_at l b < 0).
Proof.
  unfold one_sign.
  destruct (Rtotal_order (line_at l a) 0) as [|[|]];
    destruct (Rtotal_order (line_at l b) 0) as [|[|]]; lra.
Qed.

(** A line that changes its sign on the left of c keeps it on the right of c. *)
Lemma one_sign_right l a c b : a <= c <= b -> ~ one_sign l a c -> one_sign l c b.
Proof.
  intros H N; destruct (one_sign_dec l a c) as [S|[S|S]]; [easy| |];
    unfold one_sign, line_at in *.
  - assert (0 < fst l) by nra; left; nra.
  - assert (fst l < 0) by nra; right; nra.
Qed.

(** A line that changes its sign on [a, b] has a zero there, where [a, b] can be cut. *)
Lemma cut_at_zero l a b : a <= b -> ~ one_sign l a b ->
  exists c, a <= c <= b /\ one_sign l a c /\ one_sign l c b.
Proof.
  intros H N.
  destruct (one_sign_dec l a b) as [S|S]; [easy|].
  unfold one_sign, line_at in *.
  assert (F : fst l <> 0) by (intros E; rewrite E in *; lra).
  assert (Z : fst l * (- snd l / fst l) + snd l = 0) by (field; easy).
  set (c := - snd l / fst l) in *; clearbody c.
  exists c; destruct S as [S|S].
  - assert (0 < fst l) by nra; repeat split; try nra; lra.
  - assert (fst l < 0) by nra; repeat split; try nra; lra.
Qed.

(** ** Refining a tiling *)

Definition closed_down (good : R -> R -> Prop) : Prop :=
  forall a b c d, good a b -> a <= c -> c <= d -> d <= b -> good c d.

Lemma tiled_weaken (P Q : R -> R -> Prop) k a b :
  (forall c d, a <= c -> c <= d -> d <= b -> P c d -> Q c d) ->
  a <= b -> tiled P k a b -> tiled Q k a b.
Proof.
  intros H I T; induction T.
  - apply tiled_one, H; auto; lra.
  - apply tiled_split with c; auto.
    + apply IHT1; [|lra]; intros; apply H; auto; lra.
    + apply IHT2; [|lra]; intros; apply H; auto; lra.
Qed.

Lemma one_sign_down l a b c d :
  one_sign l a b -> a <= c -> c <= d -> d <= b -> one_sign l c d.
Proof.
  intros H ? ? ?.
  destruct (line_between l a b c), (line_between l a b d); try lra.
  unfold one_sign in *; intuition.
Qed.

(** One line cuts at most one interval of a tiling, into two. *)
Lemma refine_one good l : closed_down good -> forall k a b, a <= b ->
  tiled good k a b -> exists k', (k' <= k + 1)%nat /\
  tiled (fun c d => good c d /\ one_sign l c d) k' a b.
Proof.
  intros D k a b I T; induction T as [a b G|j k a c b C T1 IH1 T2 IH2].
  - destruct (one_sign_dec l a b) as [S|S].
    + exists 1%nat; split; [lia|now apply tiled_one].
    + destruct (cut_at_zero l a b) as (c & C & S1 & S2); auto.
      { unfold one_sign; lra. }
      exists 2%nat; split; [lia|].
      apply (tiled_split _ 1 1) with c; auto; apply tiled_one; split; auto;
        apply D with a b; auto; lra.
  - destruct (one_sign_dec l a c) as [S|S].
    + destruct IH2 as (k' & K & T'); [lra|].
      exists (j + k')%nat; split; [lia|].
      apply tiled_split with c; auto.
      apply tiled_weaken with good; auto; try lra.
      intros; split; auto; apply one_sign_down with a c; auto; lra.
    + destruct IH1 as (j' & J & T'); [lra|].
      exists (j' + k)%nat; split; [lia|].
      apply tiled_split with c; auto.
      apply tiled_weaken with good; auto; try lra.
      intros; split; auto; apply one_sign_down with c b; auto; try lra.
      apply one_sign_right with a; auto; unfold one_sign; lra.
Qed.

(** m lines cut [a, b] into at most m + 1 intervals on which no line changes sign. *)
Lemma cut_by_lines ls : forall a b, a <= b -> exists k, (k <= length ls + 1)%nat /\
  tiled (fun c d => Forall (fun l => one_sign l c d) ls) k a b.
Proof.
  induction ls as [|l ls IH]; intros a b I.
  - exists 1%nat; split; [simpl; lia|]; apply tiled_one; constructor.
  - destruct (IH a b I) as (k & K & T).
    apply (refine_one _ l) in T; auto.
    + destruct T as (k' & K' & T'); exists k'; split; [simpl; lia|].
      revert T'; apply tiled_weaken; auto.
      intros c d _ _ _ [G S]; now constructor.
    + intros p q c d F ? ? ?; revert F; apply Forall_impl.
      intros l' S; apply one_sign_down with p q; auto.
Qed.

(** ** States *)

(** On [a, b] the state is the list of values of some lines. *)
Definition affine_state (F : R -> list R) (a b : R) : Prop :=
  exists ls, forall x, a <= x <= b -> F x = map (fun l => line_at l x) ls.

(** An affine form of an affine state is affine. *)
Fixpoint dot_lines (ws : list R) (ls : list (R * R)) : R * R :=
  match ws, ls with
  | w :: ws', l :: ls' =>
      let r := dot_lines ws' ls' in (w * fst l + fst r, w * snd l + snd r)
  | _, _ => (0, 0)
  end.

Definition eval_lines (l : form) (ls : list (R * R)) : R * R :=
  let r := dot_lines (weights l) ls in (fst r, snd r + bias l).

Lemma dot_lines_at ws : forall ls x,
  dot ws (map (fun l => line_at l x) ls) = line_at (dot_lines ws ls) x.
Proof.
  induction ws as [|w ws IH]; intros [|l ls] x; unfold line_at in *; simpl; try lra.
  rewrite IH; simpl; lra.
Qed.

Lemma eval_lines_at l ls x :
  eval l (map (fun l => line_at l x) ls) = line_at (eval_lines l ls) x.
Proof. unfold eval; rewrite dot_lines_at; unfold line_at, eval_lines; simpl; lra. Qed.

(** ReLU of a line without a change of sign is a line. *)
Lemma relu_lines ls a b : Forall (fun l => one_sign l a b) ls ->
  exists ls', forall x, a <= x <= b ->
  map (fun l => relu (line_at l x)) ls = map (fun l => line_at l x) ls'.
Proof.
  induction 1 as [|l ls S _ (ls' & IH)]; [now exists []|].
  destruct S as [S|S]; [exists (l :: ls')|exists ((0, 0) :: ls')]; intros x X; simpl;
    rewrite (IH x X); f_equal; unfold relu; destruct (line_between l a b x X).
  - apply Rmax_left; tauto.
  - rewrite Rmax_right by tauto; unfold line_at; simpl; lra.
Qed.

(** ** Theorem A *)

(** One layer of width m cuts an interval into at most m + 1. *)
Lemma layer_pieces ls F a b : a <= b -> affine_state F a b ->
  exists k, (k <= length ls + 1)%nat /\
  tiled (affine_state (fun x => step ls (F x))) k a b.
Proof.
  intros I (vs & V).
  destruct (cut_by_lines (map (fun l => eval_lines l vs) ls) a b I) as (k & K & T).
  rewrite map_length in K.
  exists k; split; auto.
  revert T; apply tiled_weaken; auto.
  intros c d AC CD DB S; destruct (relu_lines _ _ _ S) as (rs & RS).
  exists (vs ++ rs); intros x X.
  unfold step; rewrite map_app, V by lra; f_equal.
  rewrite <- RS by lra; rewrite map_map; apply map_ext; intros l.
  now rewrite eval_lines_at.
Qed.

Lemma run_pieces lss : forall F a b, a <= b -> affine_state F a b ->
  exists k, (k <= most_pieces (map (@length form) lss))%nat /\
  tiled (affine_state (fun x => run lss (F x))) k a b.
Proof.
  induction lss as [|ls lss IH]; intros F a b I S.
  - exists 1%nat; split; [simpl; lia|now apply tiled_one].
  - destruct (layer_pieces ls F a b I S) as (k & K & T).
    simpl most_pieces; set (p := most_pieces _) in *.
    enough (E : exists k', (k' <= k * p)%nat /\
      tiled (affine_state (fun x => run (ls :: lss) (F x))) k' a b).
    { destruct E as (k' & K' & T'); exists k'; split; auto; nia. }
    clear K S; induction T as [a b G|j k a c b C _ IH1 _ IH2].
    + destruct (IH _ a b I G) as (k' & K' & T').
      exists k'; split; [lia|exact T'].
    + destruct IH1 as (j' & J & T1); [lra|].
      destruct IH2 as (k' & K & T2); [lra|].
      exists (j' + k')%nat; split; [nia|].
      apply tiled_split with c; auto.
Qed.

Theorem theorem_A (net : network) (a b : R) : a <= b ->
  exists k, (k <= most_pieces (widths net))%nat /\ affine_pieces k (value net) a b.
Proof.
  intros I.
  destruct (run_pieces (hidden net) (fun x => [x]) a b I) as (k & K & T).
  { exists [(1, 0)]; intros x _; unfold line_at; simpl; f_equal; lra. }
  exists k; split; auto.
  revert T; apply tiled_weaken; auto.
  intros c d _ _ _ (vs & V).
  exists (fst (eval_lines (output net) vs)), (snd (eval_lines (output net) vs)).
  intros x X; unfold value; rewrite V, eval_lines_at by easy; reflexivity.
Qed.

(** ** Widths of at most W *)

Lemma most_pieces_power ms W : Forall (fun m => (m <= W)%nat) ms ->
  (most_pieces ms <= (W + 1) ^ length ms)%nat.
Proof. induction 1; simpl; [lia|nia]. Qed.

Corollary theorem_A_width (net : network) (L W : nat) (a b : R) : a <= b ->
  (length (widths net) <= L)%nat -> Forall (fun m => (m <= W)%nat) (widths net) ->
  exists k, (k <= (W + 1) ^ L)%nat /\ affine_pieces k (value net) a b.
Proof.
  intros I HL HW.
  destruct (theorem_A net a b I) as (k & K & T); exists k; split; auto.
  apply most_pieces_power in HW.
  assert ((W + 1) ^ length (widths net) <= (W + 1) ^ L)%nat
    by (apply Nat.pow_le_mono_r; lia).
  lia.
Qed.
