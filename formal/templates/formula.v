(** A formula at accuracy 1 / 1000

    A generated file.  Build it with  coqc -Q FORMAL DepthSep FILE.v  where FORMAL is
    the folder of Network.v.  What depends on the claim is between the marks. *)

From Coq Require Import Reals ZArith NArith List Lra.
From DepthSep Require Import Network Lower Formula.
Import ListNotations.
Open Scope R_scope.

(* --- generated: the witnesses --- *)
(** Triples x < y < z, as integers over the denominator 1000. *)
Definition witnesses : list ztriple :=
  [(0,10,19);(19,27,34);(34,41,48);(48,55,61);(61,67,73);(73,79,85);(85,91,96);
   (96,102,107);(107,112,118);(118,123,129);(129,134,140);(140,146,152);
   (152,158,164);(164,170,177);(177,184,191);(191,198,206);(206,215,224);
   (224,235,250);(250,269,282);(282,292,301);(301,309,317);(317,325,332);
   (332,339,346);(346,353,360);(360,367,374);(374,381,388);(388,395,402);
   (402,409,416);(416,423,431);(431,439,447);(447,456,465);(465,476,488);
   (488,523,537);(537,548,558);(558,567,576);(576,584,592);(592,600,608);
   (608,616,623);(623,631,638);(638,645,653);(653,661,669);(669,677,685);
   (685,694,703);(703,713,723);(723,735,749);(749,781,797);(797,808,819);
   (819,829,838);(838,847,856);(856,865,873);(873,881,889);(889,897,905);
   (905,913,921);(921,929,938);(938,946,955);(955,964,974);(974,984,995)]%Z.
(* --- end of generated --- *)

(* --- generated: the target --- *)
Definition target (x : R) : R :=
  exp (- x) * sin (12 * x) + cos (3 * x) + sqrt (1 + x) - ln (1 + x) + atan (2 * x).
(* --- end of generated --- *)

(* --- generated: depth, width, interval, accuracy --- *)
(** No network with at most 2 hidden layers of width at most 6, with any skip
    connections and any real weights, is within 1 / 1000 of
    the target on [0, 1]. *)
Theorem too_narrow : forall net : network,
  (length (widths net) <= 2)%nat ->
  Forall (fun m => (m <= 6)%nat) (widths net) ->
  exists x, 0 <= x <= 1 /\ Rabs (value net x - target x) > 1 / 1000.
Proof.
  apply (formula_lower target 1000 0 1000 2 6 witnesses);
    [vm_compute; reflexivity | lra | lra | unfold witnesses, target; gaps_by_interval].
Qed.
(* --- end of generated --- *)

Print Assumptions too_narrow.
